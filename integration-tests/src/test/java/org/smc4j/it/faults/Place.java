package org.smc4j.it.faults;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where the server of a program's run listens: on this host, or on the one that the run names. */
final class Place {
    private static final String PROPERTY = "smc.it.server";

    private Place() {
    }

    /** The option that names it. */
    static String option(String address) {
        return "-D" + PROPERTY + "=" + address;
    }

    static InetAddress ofServer() throws UnknownHostException {
        String address = System.getProperty(PROPERTY);
        return address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
    }
}
