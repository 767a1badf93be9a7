/**
 * Weaves calls of {@code sun.nio.ch.SocketHooks} into the JDK's socket code, with a class-file patcher of its own, as an
 * application waits for the first classes. What is woven where stands in {@link org.smc4j.agent.weave.Seams}, in one table.
 */
package org.smc4j.agent.weave;
