package org.smc4j.clc;

import org.smc4j.wire.Checks;

/**
 * What the two ends tell each other once per link group, in Accept and Confirm (spec page 10, section 6).
 *
 * @param v2Direct       SMC-R: no IP gateway between the peers
 * @param osType         1 z/OS, 2 Linux, 3 AIX; 0 to 15
 * @param release        the negotiated release, 0 to 15. Release 0 of SMC-D has no fields after the host name: they are
 *                       zero
 * @param hostname       of the sender
 * @param maxConnections per link group, SMC-R only (0 to 255)
 * @param maxLinks       per link group, SMC-R only (0 to 255)
 * @param featureMask    16 bits, see {@link ClcMessage#FEATURE_EMULATED_ISM}
 */
public record FirstContactExtension(boolean v2Direct, int osType, int release, Hostname hostname, int maxConnections,
                                    int maxLinks, int featureMask) {
    /** Bytes up to and with the host name: all there is in SMC-D of release 0. */
    static final int SIZE_RELEASE_0 = 36;
    /** Bytes in SMC-R, and in SMC-D from release 1 on. */
    static final int SIZE = 52;

    public FirstContactExtension {
        Checks.range("OS type", osType, 0, Checks.NIBBLE);
        Checks.range("release", release, 0, Checks.NIBBLE);
        Checks.that(hostname != null, "hostname missing");
        Checks.range("max connections", maxConnections, 0, Checks.U8);
        Checks.range("max links", maxLinks, 0, Checks.U8);
        Checks.range("feature mask", featureMask, 0, Checks.U16);
    }

    /** Ours for SMC-D v2.1: Linux, release 1. The mask is the own one in an Accept, the common one in a Confirm. */
    public static FirstContactExtension smcd(Hostname hostname, int featureMask) {
        return new FirstContactExtension(false, ClcMessage.OS_LINUX, ClcMessage.RELEASE_1, hostname, 0, 0, featureMask);
    }
}
