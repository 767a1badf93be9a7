package org.smc4j.llc;

import java.util.Objects;

import org.smc4j.wire.FieldWriter;

/**
 * Turns LLC messages into bytes and back (spec/20-llc.md §2 to §4). For everything that a kernel of our byte order sends,
 * {@code encode(decode(x))} is {@code x}; for every message, {@code decode(encode(m))} equals {@code m}.
 *
 * <p>Linux writes the length of version 2, and the count of rkeys, in the byte order of its own machine. Both orders are
 * read: the length, which must be that of the message, tells which it is.
 */
public final class LlcCodec {
    /** Bytes of every message of version 1, and of the shortest of version 2. */
    public static final int SIZE = 44;
    /** Bytes of the longest message of version 2. */
    public static final int MAX_SIZE = 8192;

    private static final int ALL = 0x40;
    private static final int ORDERLY = 0x20;

    private LlcCodec() {
    }

    /**
     * The message that these bytes are: all that was received with one completion. From version 2 on a message may be longer than
     * what is known here: as in the kernel, the rest is ignored.
     *
     * @throws LlcException              for anything that is not a valid message; nothing else is thrown because of the bytes
     * @throws IndexOutOfBoundsException if offset and length are not within the array
     */
    public static LlcMessage decode(byte[] bytes, int offset, int length) throws LlcException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length < SIZE || length > MAX_SIZE) {
            throw new LlcException("length", SIZE + " to " + MAX_SIZE, length);
        }
        LlcReader in = new LlcReader(bytes, offset, length);
        LlcHeader header = LlcHeader.read(in, length);
        return switch (header.type()) {
            case CONFIRM_LINK -> LinkCodec.confirmLink(header, in);
            case ADD_LINK -> LinkCodec.addLink(header, in);
            case ADD_LINK_CONTINUE -> LinkCodec.addLinkContinue(header, in);
            case DELETE_LINK -> deleteLink(header, in);
            case REQUEST_ADD_LINK -> LinkCodec.requestAddLink(header, in);
            case CONFIRM_RKEY -> RkeyCodec.confirmRkey(header, in);
            case TEST_LINK -> new TestLink(header.version(), header.response(), in.i64("user data"), in.i64("user data"));
            case CONFIRM_RKEY_CONTINUE -> new ConfirmRkeyContinue(header.response());
            case DELETE_RKEY -> RkeyCodec.deleteRkey(header, in);
        };
    }

    /** The bytes of a message, as Linux would send it. */
    public static byte[] encode(LlcMessage message) {
        FieldWriter out = switch (message) {
            case ConfirmLink confirm -> LinkCodec.encode(confirm);
            case AddLink add -> LinkCodec.encode(add);
            case AddLinkContinue more -> LinkCodec.encode(more);
            case DeleteLink delete -> encode(delete);
            case RequestAddLink request -> LinkCodec.encode(request);
            case ConfirmRkey confirm -> RkeyCodec.encode(confirm);
            case TestLink test -> encode(test);
            case ConfirmRkeyContinue more -> LlcHeader.write(more, 0, 0, SIZE);
            case DeleteRkey delete -> RkeyCodec.encode(delete);
        };
        out.zerosToTheEnd();
        return out.bytes();
    }

    private static DeleteLink deleteLink(LlcHeader header, LlcReader in) throws LlcException {
        return new DeleteLink(header.version(), header.response(), header.has(ALL), header.has(ORDERLY), in.u8("link number"),
                in.i32("reason"));
    }

    private static FieldWriter encode(DeleteLink delete) {
        int flags = (delete.all() ? ALL : 0) | (delete.orderly() ? ORDERLY : 0);
        FieldWriter out = LlcHeader.write(delete, 0, flags, SIZE);
        out.u8(delete.linkNumber());
        out.i32(delete.reason());
        return out;
    }

    private static FieldWriter encode(TestLink test) {
        FieldWriter out = LlcHeader.write(test, 0, 0, SIZE);
        out.i64(test.dataHigh());
        out.i64(test.dataLow());
        return out;
    }
}
