/**
 * SMC-R for the sockets of this process: connections to and from other hosts leave TCP over the RNICs of {@code smc.rnic}.
 *
 * <p>{@link org.smc4j.remote.HostPeers} has one thread, on which handshakes, link groups and the sideband between hosts run; the bytes
 * of a connection are moved by the threads of the application and by those of the RNICs. A handshake is that of
 * {@link org.smc4j.negotiation} over an {@link org.smc4j.proxy.Exchange}, then two messages more: ATTACHED of the client, READY of
 * the server. Each direction leaves TCP on its own, and only when the other end reads what comes by SMC.
 *
 * <p>Nothing here lets an application wait, but the end of the process for bytes that it has written and not yet sent.
 */
package org.smc4j.remote;
