package org.smc4j.diag;

/**
 * Why a connection is TCP: the diagnosis of a CLC Decline and the fallback reason of a socket (spec page 10, section
 * 10). Peers may send numbers that are not in this list, so what is stored is the number and this enum only explains
 * it.
 */
public enum ReasonCode {
    MEM(0x01010000, "out of memory"),
    TIMEOUT_CL(0x02010000, "timeout waiting for CONFIRM LINK"),
    TIMEOUT_AL(0x02020000, "timeout waiting for ADD LINK"),
    CNFERR(0x03000000, "configuration error"),
    PEERNOSMC(0x03010000, "peer did not signal SMC"),
    IPSEC(0x03020000, "IPsec policy on the TCP socket"),
    NOSMCDEV(0x03030000, "no SMC device (R or D)"),
    NOSMCDDEV(0x03030001, "no SMC-D device"),
    NOSMCRDEV(0x03030002, "no SMC-R device"),
    NOISM2SUPP(0x03030003, "no ISMv2 support"),
    NOV2EXT(0x03030004, "peer sent no v2 extension"),
    NOV2DEXT(0x03030005, "peer sent no SMC-D v2 extension"),
    NOSEID(0x03030006, "peer sent no SEID"),
    NOSMCD2DEV(0x03030007, "no matching SMC-D v2 device"),
    NOUEID(0x03030008, "peer sent no UEID"),
    RELEASEERR(0x03030009, "release negotiation failed"),
    MAXCONNERR(0x0303000a, "max connections negotiation failed"),
    MAXLINKERR(0x0303000b, "max links negotiation failed"),
    MODEUNSUPP(0x03040000, "mode (R or D) not matching"),
    RMBE_EC(0x03050000, "peer keeps an eyecatcher in its RMBE"),
    OPTUNSUPP(0x03060000, "fast open requested"),
    DIFFPREFIX(0x03070000, "IP prefix or subnet mismatch"),
    GETVLANERR(0x03080000, "cannot determine the VLAN id"),
    ISMVLANERR(0x03090000, "cannot register the VLAN on the ISM device"),
    NOACTLINK(0x030a0000, "no active link in the link group"),
    NOSRVLINK(0x030b0000, "link named by the server not found"),
    VERSMISMAT(0x030c0000, "version mismatch"),
    MAX_DMB(0x030d0000, "DMB limit exceeded"),
    NOROUTE(0x030e0000, "SMC-R v2: no route to the peer"),
    NOINDIRECT(0x030f0000, "SMC-R v2: peer claimed to be indirect but is direct"),
    SYNCERR(0x04000000, "synchronization error (link groups differ)"),
    PEERDECL(0x05000000, "peer declined"),
    INTERR(0x09990000, "internal error"),
    ERR_RTOK(0x09990001, "rtoken handling failed"),
    ERR_RDYLNK(0x09990002, "bringing the link up failed"),
    ERR_REGBUF(0x09990003, "buffer registration failed");

    private static final ReasonCode[] ALL = values();

    private final int number;
    private final String words;

    ReasonCode(int number, String words) {
        this.number = number;
        this.words = words;
    }

    /** The code with this number, or null if the number is not known. */
    public static ReasonCode of(int number) {
        for (ReasonCode code : ALL) {
            if (code.number == number) {
                return code;
            }
        }
        return null;
    }

    /** Number, name and words for a log line: {@code 0x05000000 PEERDECL (peer declined)}; unknown numbers say so. */
    public static String describe(int number) {
        ReasonCode code = of(number);
        return hex(number) + (code == null ? " (unknown reason)" : " " + code.name() + " (" + code.words + ")");
    }

    /** The number as the kernel's tools show it: {@code 0x03010000}. */
    public static String hex(int number) {
        String digits = Integer.toHexString(number);
        return "0x" + "00000000".substring(digits.length()) + digits;
    }

    /** The kernel's number. */
    public int number() {
        return number;
    }

    /** The meaning in words. */
    public String words() {
        return words;
    }
}
