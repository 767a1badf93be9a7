package org.smc4j.clc;

/** One message of the CLC handshake. */
public sealed interface ClcMessage permits ClcProposal, ClcAcceptConfirm, ClcDecline {
    /** SMC-R v1 and SMC-D v1. */
    int VERSION_1 = 1;
    /** SMCv2, all releases. */
    int VERSION_2 = 2;
    /** The release of SMCv2 that we speak: v2.1. */
    int RELEASE_1 = 1;
    /** Operating system type "Linux". */
    int OS_LINUX = 2;
    /** Feature mask bit: 128-bit GIDs of Emulated-ISM devices. */
    int FEATURE_EMULATED_ISM = 0x0001;
    /** The first CHID of Emulated-ISM devices; the last is 0xFFFF. */
    int EMULATED_CHID_MIN = 0xFF00;

    /** Which of the four messages this is. */
    ClcType type();

    /** The protocol version of the header, 1 to 15; from 2 on the layout is that of version 2. */
    int version();

    /** Whether a CHID belongs to Emulated-ISM devices, whose GIDs have 128 bits. */
    static boolean isEmulatedChid(int chid) {
        return chid >= EMULATED_CHID_MIN;
    }
}
