/**
 * The programs that are measured: a server, a client, a hello world and a short-lived client, written against the JDK's
 * socket API and nothing else.
 *
 * <p>They stand for unmodified applications, so they must never name a class of smc4j, read one of its properties or
 * behave differently when the agent is there. The class path of their JVMs holds the benchmarks' classes and nothing
 * else. They take commands on standard input and answer on standard output, because a control socket would itself be
 * carried by the agent.
 *
 * <p>Socket options stay at the JDK's defaults, Nagle's algorithm and buffer sizes included: an unmodified
 * application that sets none is the case to compare with.
 */
package org.smc4j.bench.plain;
