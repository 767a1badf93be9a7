/**
 * Handshakes with processes on other hosts. All processes of one user on a host share one sideband port: one of them, the proxy,
 * has it, and every process, that one too, is a member, connected to the proxy by an abstract UNIX socket.
 *
 * <pre>
 *  each JVM                         the JVM that is the proxy          other host
 *  HostSideband --- SEQPACKET ---   Proxy, Router, Carrier   --- TCP ---   its proxy --- its JVMs
 * </pre>
 *
 * <p><b>Offered upward.</b> {@link org.smc4j.proxy.HostSideband} publishes listening sockets and opens an
 * {@link org.smc4j.proxy.Exchange} for a connected one; what another host proposes comes as an exchange too. An exchange carries
 * CLC messages both ways and ends once, with READY, with a Decline or with a {@link org.smc4j.carrier.DeclineReason} that says
 * what is missing: nothing listens there, a filter, a wrong secret, the peer is gone. All of that happens on one
 * {@link org.smc4j.time.EventLoop}, and nothing blocks. An exchange has no time-out of its own: whoever holds it abandons it.
 *
 * <p><b>What is proven and what is not.</b> A proposal comes from the address of the TCP connection's client (and, with a
 * secret, from a host that has it). That its 4-tuple is a live accepted connection of this process, only the process can tell:
 * whoever takes an exchange must look, and answers nothing but a Decline until it is. Without a secret any user of the client's
 * host can propose for connections of the others there.
 *
 * <p><b>The proxy</b> is whoever binds its abstract name; the name, the port and all connections vanish with that process,
 * however it ends. The others see that at once, end the exchanges under way, which so stay TCP, and seek the proxy anew: the
 * first becomes it. The proxy's settings count for all, so a process with another secret or other rules is turned away.
 *
 * <p>The router does to handshakes what a physical function does to messages of the IB connection manager
 * (spec/80-cm-rej-timeout.md): it gives each an id that is unique on the host, and finds the process of a Decline that names none.
 *
 * <p>This package must never believe a process of another user, must never read a CLC message, and must never let the application
 * wait.
 */
package org.smc4j.proxy;
