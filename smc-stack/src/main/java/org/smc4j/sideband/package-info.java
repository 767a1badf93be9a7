/**
 * Finding a peer on this host and carrying the CLC handshake to it, beside the TCP connection (see design: TCP first, handshake
 * out of band). A listening socket is published as an abstract UNIX socket; whoever connects to it sends a CLC Proposal in an
 * {@link org.smc4j.sideband.Envelope} that names the TCP connection by its 4-tuple, and DMBs and doorbells travel as
 * descriptors. Everything runs on one daemon thread: applications never wait for a handshake, and a peer that stops in the
 * middle of one holds up nobody.
 *
 * <p>Nothing that comes over the sideband is believed: the kernel says who the peer is (SO_PEERCRED), the 4-tuple must be that
 * of a live accepted connection of ours, and lengths, tokens and memory files are checked before use.
 */
package org.smc4j.sideband;
