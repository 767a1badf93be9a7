/**
 * Start of the agent inside its own class loader: opens what it needs of the JDK, weaves the socket code, checks the result by
 * use, and only then lets sockets be followed. Any failure on the way leaves the JVM on plain TCP with one line that says why.
 *
 * <p>Which class lives where: {@code SmcAgent}, {@code AgentLoader} and {@code SmcMain} (src/boot, for Java 9) on the
 * application's class path; {@code sun.nio.ch.Socket*} and {@code HandleTable} (hooks) in java.base;
 * {@code sun.management.spi.AgentBeans} (src/management) in java.management; everything else in the
 * agent's loader.
 */
package org.smc4j.agent;
