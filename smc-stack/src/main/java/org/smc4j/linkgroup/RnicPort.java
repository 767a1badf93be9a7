package org.smc4j.linkgroup;

import java.util.Objects;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.wire.Checks;

/**
 * A port of an RNIC with the GID that is used on it: of type RoCE v1 for SMC v1, RoCE v2 for SMC v2.
 *
 * @param device      name of the RNIC
 * @param number      1 or 2
 * @param pnetId      the physical network; empty if it has none
 * @param networkName of the network interface that the GID belongs to
 * @param gidIndex    of the GID in the port's table
 * @param mtuCode     1 = 256 … 5 = 4096 bytes
 */
public record RnicPort(String device, int number, String pnetId, String networkName, Gid gid, int gidIndex, Mac mac,
                       int mtuCode) {
    public RnicPort {
        Objects.requireNonNull(device);
        Objects.requireNonNull(pnetId);
        Objects.requireNonNull(networkName);
        Objects.requireNonNull(gid);
        Objects.requireNonNull(mac);
        Checks.range("port", number, 1, 2);
        Checks.range("MTU code", mtuCode, 1, 5);
    }

    /** Whether this is that port of that device. */
    public boolean is(String otherDevice, int otherNumber) {
        return number == otherNumber && device.equals(otherDevice);
    }
}
