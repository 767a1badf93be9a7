package org.smc4j.proxy;

import java.util.HexFormat;
import org.smc4j.ffi.linux.SocketAddresses.Address;

/**
 * The abstract name of a proxy: {@code smc4j/1/UID/proxy/ADDRESS:PORT}, by what it listens on, the address in hexadecimal. So it
 * is another one for each user, and for each port of a network namespace.
 */
final class ProxyName {
    private ProxyName() {
    }

    static String of(int uid, Address address) {
        return "smc4j/1/" + Integer.toUnsignedString(uid) + "/proxy/" + HexFormat.of().formatHex(address.bytes()) + ":"
                + address.port();
    }
}
