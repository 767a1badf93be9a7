/**
 * Weaves calls of {@code sun.nio.ch.SocketHooks} into the JDK's socket code, with the JDK's own class-file API: it reads every
 * class file that the running JDK has, costs nothing to carry and starts faster than a library that has to be loaded first
 * (12 classes in about 60 ms on a cold JVM). What is woven where stands in {@link org.smc4j.agent.weave.Seams}, in one table.
 */
package org.smc4j.agent.weave;
