/**
 * Faults: peers that are killed, stopped or lie, users that may not be peers, and limits that are reached in the middle of a
 * handshake. Every test runs the real jar in JVMs of its own; the JVM under test has to survive, to leave nothing behind, and
 * to serve the next honest peer as if nothing had happened. The programs that those JVMs run are the {@code main} classes of
 * this package. Seeds are printed and can be given again with {@code -Dsmc.it.seed}.
 */
package org.smc4j.it.faults;
