package org.smc4j.clc;

/**
 * The server's Accept and the client's Confirm: one layout per technology (spec page 10, sections 4 and 5). Each end
 * tells the other where to write.
 */
public sealed interface ClcAcceptConfirm extends ClcMessage permits ClcAcceptConfirmD, ClcAcceptConfirmR {
    /** The unit of the buffer size codes: code 0 is 16 KiB, each further code doubles. */
    int SIZE_CODE_UNIT = 16384;

    /** Whether the connection starts a new link group, as opposed to using an existing one. */
    boolean firstContact();

    /** The code of the size of the sender's receive buffer, 0 to 15. */
    int sizeCode();

    /** The size of the sender's receive buffer in bytes, 16 KiB to 512 MiB. */
    default int bufferSize() {
        return SIZE_CODE_UNIT << sizeCode();
    }
}
