package org.smc4j.llc;

import java.util.ArrayList;
import java.util.List;

import org.smc4j.wire.FieldWriter;

/** CONFIRM RKEY and DELETE RKEY between header and end (spec/20-llc.md §4). */
final class RkeyCodec {
    private static final int NEGATIVE = 0x20;
    private static final int RETRY = 0x10;
    /** DELETE RKEY up to its rkeys. */
    private static final int DELETE_FIXED_SIZE = 8;
    private static final int RKEY_SIZE = 4;

    private RkeyCodec() {
    }

    static ConfirmRkey confirmRkey(LlcHeader header, LlcReader in) throws LlcException {
        int count = in.u8("count of additional rtokens");
        int rkey = in.i32("rkey");
        long address = in.i64("address");
        int listed = Math.min(count, ConfirmRkey.MAX_ADDITIONAL);
        List<ConfirmRkey.RkeyOnLink> additional = new ArrayList<>(listed);
        for (int i = 0; i < listed; i++) {
            additional.add(new ConfirmRkey.RkeyOnLink(in.u8("link number"), in.i32("rkey on that link"),
                    in.i64("address on that link")));
        }
        boolean response = header.response();
        return new ConfirmRkey(header.version(), response, response && header.has(NEGATIVE), response && header.has(RETRY), rkey,
                address, count, additional);
    }

    static FieldWriter encode(ConfirmRkey confirm) {
        int flags = (confirm.negative() ? NEGATIVE : 0) | (confirm.retry() ? RETRY : 0);
        FieldWriter out = LlcHeader.write(confirm, 0, flags, LlcCodec.SIZE);
        out.u8(confirm.additionalCount());
        out.i32(confirm.rkey());
        out.i64(confirm.address());
        for (ConfirmRkey.RkeyOnLink other : confirm.additional()) {
            out.u8(other.linkNumber());
            out.i32(other.rkey());
            out.i64(other.address());
        }
        return out;
    }

    static DeleteRkey deleteRkey(LlcHeader header, LlcReader in) throws LlcException {
        int version = header.version();
        boolean response = header.response();
        int count = in.u8("count of rkeys");
        int errors = in.u8("errors");
        in.skip(2, "reserved");
        int listed = DeleteRkey.listsRkeys(version, response) ? count : 0;
        int max = version == LlcMessage.VERSION_1 ? DeleteRkey.MAX_RKEYS_V1 : in.remaining() / RKEY_SIZE;
        if (listed > max) {
            throw new LlcException("count of rkeys", "at most " + max, count);
        }
        List<Integer> rkeys = new ArrayList<>(listed);
        for (int i = 0; i < listed; i++) {
            rkeys.add(in.i32("rkey"));
        }
        return new DeleteRkey(version, response, response && header.has(NEGATIVE), count, response ? errors : 0, rkeys);
    }

    static FieldWriter encode(DeleteRkey delete) {
        int length = Math.max(LlcCodec.SIZE, DELETE_FIXED_SIZE + RKEY_SIZE * delete.rkeys().size());
        FieldWriter out = LlcHeader.write(delete, 0, delete.negative() ? NEGATIVE : 0, length);
        out.u8(delete.rkeyCount());
        out.u8(delete.errors());
        out.zeros(2);
        for (int rkey : delete.rkeys()) {
            out.i32(rkey);
        }
        return out;
    }
}
