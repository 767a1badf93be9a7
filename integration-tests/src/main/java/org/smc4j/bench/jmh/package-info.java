/**
 * JMH benchmarks of round trip and one-way throughput by message size, each with its server in another JVM, and a
 * runner that measures them with and without the agent and draws both.
 *
 * <p>The comparison in {@code org.smc4j.bench} answers "does it pay here" in a minute; these give error margins, and
 * time distributions per size, to those who have longer. Code that is measured stays in {@code
 * org.smc4j.bench.plain}.
 */
package org.smc4j.bench.jmh;
