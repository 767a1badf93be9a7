package org.smc4j.sideband;

import java.net.InetAddress;

/** Finds the accepted connections of this process. */
public interface Directory {
    /**
     * The live accepted connection with that peer on that local port, or null. Two live sockets of a network namespace cannot
     * share a 4-tuple, so a match is a proof once the local address was compared too.
     */
    Endpoint accepted(InetAddress remote, int remotePort, int localPort);
}
