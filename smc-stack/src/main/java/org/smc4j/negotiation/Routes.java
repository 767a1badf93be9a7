package org.smc4j.negotiation;

import org.smc4j.clc.Mac;

/** The way from this host to others, as the operating system would go. */
public interface Routes {
    /**
     * @param source      own IPv4 address, network order
     * @param destination IPv4 address, network order; 0 is nobody's
     */
    Route find(int source, int destination);

    /** How a destination is reached. */
    sealed interface Route {
    }

    /** It is in a subnet of this host. */
    record Direct() implements Route {
    }

    /** @param nextHop MAC of the gateway; {@link Mac#NONE} if it is not known yet */
    record Gateway(Mac nextHop) implements Route {
    }

    /** Not at all. */
    record Unreachable() implements Route {
    }
}
