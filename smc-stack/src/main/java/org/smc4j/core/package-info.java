/**
 * SMC-R on one host: its RNICs, link groups, handshakes and connections put together ({@link org.smc4j.core.SmcrHost}). The parts do
 * not know each other; here a link group gets its queue pairs from the work queues of the data path, a handshake its place in a
 * link group, and a connection its link and its buffers.
 *
 * <p>All of it belongs to one {@link org.smc4j.time.Scheduler} and never blocks. Nothing here knows sockets.
 */
package org.smc4j.core;
