package org.smc4j.diag;

/**
 * The states of an SMC socket: values of the kernel (spec page 50, section 1), names of smcss (spec page 70, section
 * 6).
 */
public enum SmcState {
    ACTIVE(1, "ACTIVE"),
    INIT(2, "INIT"),
    CLOSED(7, "CLOSED"),
    LISTEN(10, "LISTEN"),
    PEERCLOSEWAIT1(20, "PEERCLW1"),
    PEERCLOSEWAIT2(21, "PEERCLW2"),
    APPCLOSEWAIT1(22, "APPLCLW1"),
    APPCLOSEWAIT2(23, "APPLCLW2"),
    APPFINCLOSEWAIT(24, "APPLFINCLW"),
    PEERFINCLOSEWAIT(25, "PEERFINCLW"),
    PEERABORTWAIT(26, "PEERABORTW"),
    PROCESSABORT(27, "PROCESSABORT");

    private static final SmcState[] ALL = values();

    private final int value;
    private final String smcssName;

    SmcState(int value, String smcssName) {
        this.value = value;
        this.smcssName = smcssName;
    }

    /** The state of this value, or null if no state has it. */
    public static SmcState of(int value) {
        for (SmcState state : ALL) {
            if (state.value == value) {
                return state;
            }
        }
        return null;
    }

    /** The kernel's number, 1 to 27. */
    public int value() {
        return value;
    }

    /** The name in the State column of smcss. */
    public String smcssName() {
        return smcssName;
    }
}
