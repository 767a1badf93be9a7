/**
 * Measures what the agent changes: the programs of {@code org.smc4j.bench.plain} over plain TCP and with the agent, in
 * interleaved rounds, as one table beside the figures that the project promises.
 *
 * <p>Everything here runs in a JVM of its own and looks at the measured JVMs from outside: their answers on standard
 * output, {@code /proc}, and the line that the agent leaves at their end. Nothing here may be loaded into a measured
 * JVM, and no class of the agent may be named here, so that the comparison compiles and runs without it.
 */
package org.smc4j.bench;
