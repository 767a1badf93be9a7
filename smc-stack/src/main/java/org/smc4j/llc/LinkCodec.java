package org.smc4j.llc;

import java.util.ArrayList;
import java.util.List;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.wire.FieldWriter;

/** The messages that make a link, between header and end (spec/20-llc.md §4). */
final class LinkCodec {
    private static final int REJECTED = 0x40;
    /** Both bits are written, either is enough. */
    private static final int NO_EYECATCHER = 0x03;
    private static final int V2_DIRECT = 0x80;
    private static final int EXTENSION_SIZE = 28;
    private static final int RKEY_SIZE = 16;
    /** REQUEST ADD LINK up to its GIDs. */
    private static final int REQUEST_FIXED_SIZE = 28;
    private static final int GID_SIZE = 16;

    private LinkCodec() {
    }

    static ConfirmLink confirmLink(LlcHeader header, LlcReader in) throws LlcException {
        return new ConfirmLink(header.version(), header.response(), header.has(NO_EYECATCHER), in.mac(), in.gid("GID"),
                in.u24("QP number"), in.u8("link number"), in.i32("link uid"), in.u8("max links"), in.u8("max connections"));
    }

    static FieldWriter encode(ConfirmLink confirm) {
        FieldWriter out = LlcHeader.write(confirm, 0, confirm.noEyecatcher() ? NO_EYECATCHER : 0, LlcCodec.SIZE);
        out.u48(confirm.mac().value());
        writeGid(confirm.gid(), out);
        out.u24(confirm.qpNumber());
        out.u8(confirm.linkNumber());
        out.i32(confirm.linkUid());
        out.u8(confirm.maxLinks());
        out.u8(confirm.maxConnections());
        return out;
    }

    static AddLink addLink(LlcHeader header, LlcReader in) throws LlcException {
        boolean rejected = header.response() && header.has(REJECTED);
        Mac mac = in.mac();
        in.skip(2, "reserved");
        Gid gid = in.gid("GID");
        int qpNumber = in.u24("QP number");
        int linkNumber = in.u8("link number");
        int mtuCode = in.u8("MTU") & 0xF;
        int initialPsn = in.u24("initial PSN");
        in.skip(8, "reserved");
        AddLink.Extension extension = null;
        if (in.remaining() > 0 || AddLink.needsExtension(header.version(), rejected, mtuCode)) {
            extension = extension(header, in);
        }
        int rejectReason = rejected ? header.rejectReason() : 0;
        return new AddLink(header.version(), header.response(), rejected, rejectReason, mac, gid, qpNumber, linkNumber, mtuCode,
                initialPsn, extension);
    }

    private static AddLink.Extension extension(LlcHeader header, LlcReader in) throws LlcException {
        boolean v2Direct = (in.u8("extension flags") & V2_DIRECT) != 0;
        in.skip(1, "reserved");
        Gid clientGid = in.gid("client target GID");
        in.skip(8, "reserved");
        // The kernel looks at the low byte alone, for there are at most 255.
        int count = header.u16InWriterOrder(in.u16("count of rkeys")) & 0xFF;
        // The kernel counts connections but lists buffers, of which there may be fewer.
        int listed = Math.min(count, in.remaining() / RKEY_SIZE);
        return new AddLink.Extension(v2Direct, clientGid, count, rkeys(listed, in));
    }

    static FieldWriter encode(AddLink add) {
        AddLink.Extension extension = add.extension();
        int length = LlcCodec.SIZE + (extension == null ? 0 : EXTENSION_SIZE + RKEY_SIZE * extension.rkeys().size());
        FieldWriter out = LlcHeader.write(add, add.rejectReason(), add.rejected() ? REJECTED : 0, length);
        out.u48(add.mac().value());
        out.zeros(2);
        writeGid(add.gid(), out);
        out.u24(add.qpNumber());
        out.u8(add.linkNumber());
        out.u8(add.mtuCode());
        out.u24(add.initialPsn());
        out.zeros(8);
        if (extension != null) {
            out.u8(extension.v2Direct() ? V2_DIRECT : 0);
            out.zeros(1);
            writeGid(extension.clientGid(), out);
            out.zeros(8);
            out.u16(LlcHeader.u16InOwnOrder(extension.rkeyCount()));
            writeRkeys(extension.rkeys(), out);
        }
        return out;
    }

    static AddLinkContinue addLinkContinue(LlcHeader header, LlcReader in) throws LlcException {
        int linkNumber = in.u8("link number");
        int count = in.u8("count of rkeys");
        in.skip(2, "reserved");
        return new AddLinkContinue(header.response(), linkNumber, count, rkeys(Math.min(count, AddLinkContinue.MAX_RKEYS), in));
    }

    static FieldWriter encode(AddLinkContinue more) {
        FieldWriter out = LlcHeader.write(more, 0, 0, LlcCodec.SIZE);
        out.u8(more.linkNumber());
        out.u8(more.rkeyCount());
        out.zeros(2);
        writeRkeys(more.rkeys(), out);
        return out;
    }

    static RequestAddLink requestAddLink(LlcHeader header, LlcReader in) throws LlcException {
        if (header.response()) {
            return new RequestAddLink(true, List.of());
        }
        in.skip(20, "reserved");
        int count = in.u8("count of GIDs");
        in.skip(3, "reserved");
        if (count * GID_SIZE > in.remaining()) {
            throw new LlcException("count of GIDs", "at most " + in.remaining() / GID_SIZE, count);
        }
        List<Gid> gids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            gids.add(in.gid("GID"));
        }
        return new RequestAddLink(false, gids);
    }

    static FieldWriter encode(RequestAddLink request) {
        int length = Math.max(LlcCodec.SIZE, REQUEST_FIXED_SIZE + GID_SIZE * request.gids().size());
        FieldWriter out = LlcHeader.write(request, 0, 0, length);
        out.zeros(20);
        out.u8(request.gids().size());
        out.zeros(3);
        for (Gid gid : request.gids()) {
            writeGid(gid, out);
        }
        return out;
    }

    private static List<RkeyOnNewLink> rkeys(int count, LlcReader in) throws LlcException {
        List<RkeyOnNewLink> rkeys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rkeys.add(new RkeyOnNewLink(in.i32("rkey on existing link"), in.i32("rkey on new link"),
                    in.i64("address on new link")));
        }
        return rkeys;
    }

    private static void writeRkeys(List<RkeyOnNewLink> rkeys, FieldWriter out) {
        for (RkeyOnNewLink rkey : rkeys) {
            out.i32(rkey.existingRkey());
            out.i32(rkey.newRkey());
            out.i64(rkey.newAddress());
        }
    }

    private static void writeGid(Gid gid, FieldWriter out) {
        out.i64(gid.high());
        out.i64(gid.low());
    }
}
