/**
 * Carrying handshakes between hosts: TCP connections to the sideband port of a peer host, what is said on them, and proof of a
 * shared secret. Below is the TCP of the kernel, by system calls; above is {@link org.smc4j.proxy}, which knows whose handshakes
 * these are. This package knows hosts and messages, no JVMs, no listeners and no CLC.
 *
 * <p>A connection belongs to the end that opened it: that end proposes, the other answers. It begins with a HELLO of each end,
 * then come frames, each one {@link org.smc4j.carrier.HandshakeMessage}; with a secret, a MAC follows each frame.
 *
 * <p>Everything runs on one {@link org.smc4j.time.EventLoop} and nothing there blocks: a host that drops every packet costs one
 * socket and one timer, never an application's connection. A host that does not answer as it must is left alone for some time.
 *
 * <p>Nothing that a peer says is believed but its address, and that only as far as the network can be trusted; where it
 * cannot, there is the secret. Buffers, connections and what is remembered are bounded, whatever a peer does.
 */
package org.smc4j.carrier;
