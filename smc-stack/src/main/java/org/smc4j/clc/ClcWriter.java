package org.smc4j.clc;

import org.smc4j.wire.FieldWriter;

/** Appends fields to a CLC message. */
final class ClcWriter extends FieldWriter {
    ClcWriter(int length) {
        super(length);
    }

    void gid(Gid gid) {
        i64(gid.high());
        i64(gid.low());
    }

    void mac(Mac mac) {
        u48(mac.value());
    }

    /** A text field, blank padded. */
    void text(String text) {
        for (int i = 0; i < PaddedText.SIZE; i++) {
            u8(i < text.length() ? text.charAt(i) : ' ');
        }
    }
}
