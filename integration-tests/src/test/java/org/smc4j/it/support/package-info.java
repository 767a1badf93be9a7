/**
 * What tests with several JVMs share: starting, watching and ending processes, ports, class paths of applications, and
 * reading what the agent counted. Used by every package of the integration tests; nothing here knows an application or
 * asserts anything about one, and nothing here opens a TCP connection, because a connection from the test's own JVM
 * (which has no agent) would show up in the counters that the tests look at.
 */
package org.smc4j.it.support;
