package org.smc4j.agent;

import org.smc4j.nio.SmcSockets;

/** The MXBean, registered when the platform's MBean server exists; making that one would cost every start 50 ms. */
final class Management {
    private Management() {
    }

    static void register(SmcSockets sockets) {
    }
}
