/**
 * The command line, {@code java -jar smc-agent.jar}: looks at other JVMs of this user through the sideband. Runs in a
 * JVM of its own without the agent, so nothing here may touch the hooks in the JDK or the socket layer above them.
 * Whatever goes wrong is one line on stderr and an exit status, never a stack trace.
 */
package org.smc4j.agent.cli;
