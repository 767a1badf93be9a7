/**
 * What must work under the agent: the socket API of the JDK, one small scenario per promise.
 *
 * <p>A {@link org.smc4j.it.transparency.Scenario} has a server half and a client half. They run in two JVMs, or in one,
 * with or without the agent, and each half asserts what it sees. The run without any agent proves the scenario itself;
 * every other run must not be told apart from it. Halves synchronise through the pipes of their parent, never through
 * a socket, so that a broken socket layer cannot hide itself.
 *
 * <p>Must not: call any class of the agent or of the stack. Scenarios know nothing but the API of the JDK.
 */
package org.smc4j.it.transparency;
