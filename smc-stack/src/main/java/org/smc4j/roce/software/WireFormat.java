package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.smc4j.clc.Gid;
import org.smc4j.roce.Completions;

/**
 * The bytes between two RNICs over TCP, in network order. Towards the receiver of requests: a HELLO, then packets, each a header
 * and its bytes. Back: answers.
 *
 * <pre>
 * HELLO    0 magic  4 version (2)  6 zero (2)  8 source GID  24 destination GID  40 source queue pair
 *         44 destination queue pair  48 PSN  52 zero
 * packet   0 opcode (1)  1 flags (1)  2 zero (2)  4 PSN  8 remote address (8)  16 rkey  20 length
 *         24 length of the request  28 zero
 * answer   0 kind (1)  1 status (1)  2 zero (2)  4 PSN
 * </pre>
 */
final class WireFormat {
    static final int HELLO_LENGTH = 56;
    static final int HEADER_LENGTH = 32;
    static final int ANSWER_LENGTH = 8;
    /** Most bytes of a packet: what a receiver serves of one queue pair before it looks at the next. */
    static final int MOST_BYTES = 1 << 16;

    private static final int MAGIC = 0x534D4352;
    private static final int VERSION = 1;
    private static final int FIRST = 1;
    private static final int LAST = 2;
    private static final int SOLICITED = 4;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private WireFormat() {
    }

    static void encode(Hello hello, MemorySegment to) {
        to.set(INT, 0, MAGIC);
        to.set(SHORT, 4, (short) VERSION);
        to.set(SHORT, 6, (short) 0);
        to.set(LONG, 8, hello.sourceGid().high());
        to.set(LONG, 16, hello.sourceGid().low());
        to.set(LONG, 24, hello.destinationGid().high());
        to.set(LONG, 32, hello.destinationGid().low());
        to.set(INT, 40, hello.sourceQueuePair());
        to.set(INT, 44, hello.destinationQueuePair());
        to.set(INT, 48, hello.psn());
        to.set(INT, 52, 0);
    }

    static Hello decodeHello(MemorySegment from) throws WireFormatException {
        require("magic", from.get(INT, 0), from.get(INT, 0) == MAGIC);
        require("version", from.get(SHORT, 4), from.get(SHORT, 4) == VERSION);
        return new Hello(new Gid(from.get(LONG, 8), from.get(LONG, 16)), new Gid(from.get(LONG, 24), from.get(LONG, 32)),
                number("source queue pair", from.get(INT, 40)), number("destination queue pair", from.get(INT, 44)),
                number("PSN", from.get(INT, 48)));
    }

    static void encode(Packet packet, MemorySegment to, long offset) {
        int flags = (packet.first ? FIRST : 0) | (packet.last ? LAST : 0) | (packet.solicited ? SOLICITED : 0);
        to.set(ValueLayout.JAVA_BYTE, offset, (byte) packet.opcode);
        to.set(ValueLayout.JAVA_BYTE, offset + 1, (byte) flags);
        to.set(SHORT, offset + 2, (short) 0);
        to.set(INT, offset + 4, packet.psn);
        to.set(LONG, offset + 8, packet.remoteAddress);
        to.set(INT, offset + 16, packet.rkey);
        to.set(INT, offset + 20, packet.length);
        to.set(INT, offset + 24, packet.requestLength);
        to.set(INT, offset + 28, 0);
    }

    static void decode(MemorySegment from, long offset, Packet packet) throws WireFormatException {
        packet.opcode = from.get(ValueLayout.JAVA_BYTE, offset);
        require("opcode", packet.opcode, packet.opcode == Packet.SEND || packet.opcode == Packet.WRITE);
        int flags = from.get(ValueLayout.JAVA_BYTE, offset + 1);
        require("flags", flags, (flags & ~(FIRST | LAST | SOLICITED)) == 0);
        packet.first = (flags & FIRST) != 0;
        packet.last = (flags & LAST) != 0;
        packet.solicited = (flags & SOLICITED) != 0;
        packet.psn = number("PSN", from.get(INT, offset + 4));
        packet.remoteAddress = from.get(LONG, offset + 8);
        packet.rkey = from.get(INT, offset + 16);
        packet.length = from.get(INT, offset + 20);
        require("length", packet.length, packet.length >= 0 && packet.length <= MOST_BYTES);
        packet.requestLength = from.get(INT, offset + 24);
        require("length of the request", packet.requestLength, packet.requestLength >= packet.length);
        require("empty packet", packet.length, packet.length > 0 || packet.requestLength == 0 && packet.opcode == Packet.SEND);
    }

    static void encodeAnswer(int kind, int status, int psn, MemorySegment to, long offset) {
        to.set(ValueLayout.JAVA_BYTE, offset, (byte) kind);
        to.set(ValueLayout.JAVA_BYTE, offset + 1, (byte) status);
        to.set(SHORT, offset + 2, (short) 0);
        to.set(INT, offset + 4, psn);
    }

    static void decode(MemorySegment from, long offset, Answer answer) throws WireFormatException {
        answer.kind = from.get(ValueLayout.JAVA_BYTE, offset);
        require("answer", answer.kind, answer.kind >= Answer.READY && answer.kind <= Answer.REFUSED);
        answer.status = from.get(ValueLayout.JAVA_BYTE, offset + 1);
        boolean refusal = answer.status == Completions.REMOTE_INVALID_REQUEST || answer.status == Completions.REMOTE_ACCESS_ERROR
                || answer.status == Completions.REMOTE_OPERATION_ERROR;
        require("status", answer.status, answer.kind == Answer.REFUSED ? refusal : answer.status == 0);
        answer.psn = number("PSN", from.get(INT, offset + 4));
    }

    private static int number(String field, int value) throws WireFormatException {
        require(field, value, value >= 0 && value <= Psn.MASK);
        return value;
    }

    private static void require(String field, long found, boolean valid) throws WireFormatException {
        if (!valid) {
            throw new WireFormatException(field, found);
        }
    }
}
