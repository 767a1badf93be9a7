/**
 * Unmodified applications from Maven Central, each in several JVMs of their own: the results must be the same without
 * the agent and with it, and the agent's counters must show that the data took the way it should have taken. The few
 * lines that drive the applications are in the test resources, since no application's jars are on the class path here.
 */
package org.smc4j.it.apps;
