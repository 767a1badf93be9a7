package org.smc4j.cdc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.clc.Vectors;
import org.smc4j.wire.FieldRows;

@Timeout(30)
class CdcVectorsTest {
    /** Rows that the codec derives; the comparison of the encoded bytes covers them. */
    private static final Set<String> STRUCTURE = Set.of("type", "length", "reserved", "flags of the producer word");
    private static final Map<Integer, String> PRODUCER_FLAGS = new TreeMap<>(Map.of(0x80, "write_blocked", 0x40,
            "urg_data_pending", 0x20, "urg_data_present", 0x10, "cons_curs_upd_req", 0x08, "failover_validation"));
    private static final Map<Integer, String> STATE_FLAGS = new TreeMap<>(Map.of(0x80, "peer_done_writing", 0x40,
            "peer_conn_closed", 0x20, "peer_conn_abort"));

    private static final List<Vectors.Message> MESSAGES = Vectors.ofKind("cdc");
    private static final List<Vectors.Message> HEADERS = Vectors.ofKind("cdc-d");

    static List<Vectors.Message> messages() {
        return MESSAGES;
    }

    static List<Vectors.Message> headers() {
        return HEADERS;
    }

    private static CdcMessage decode(Vectors.Message message) throws CdcException {
        return CdcCodec.decode(message.bytes(), 0, message.bytes().length);
    }

    @Test
    void shouldFindEveryKindOfMessageWhenFilesAreRead() throws CdcException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Vectors.Message message : messages()) {
            CdcMessage decoded = decode(message);
            counts.merge(names(decoded.producerFlags(), PRODUCER_FLAGS), 1, Integer::sum);
            counts.merge(names(decoded.stateFlags(), STATE_FLAGS), 1, Integer::sum);
        }
        assertEquals(Map.of("-", 216, "failover_validation", 8, "write_blocked", 2, "urg_data_pending urg_data_present", 4,
                "write_blocked urg_data_pending", 1, "peer_conn_closed", 36, "peer_conn_abort", 6, "peer_done_writing", 7,
                "peer_done_writing peer_conn_closed", 8), counts);
        assertEquals(30, headers().size());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldDecodeToThePrintedFieldsWhenMessageWasCaptured(Vectors.Message message) throws CdcException {
        CdcMessage decoded = decode(message);
        FieldRows rows = new FieldRows();
        rows.number("sequence", 2, decoded.sequence());
        rows.hex("alert token of receiver", 4, decoded.alertToken());
        cursor(rows, "producer", decoded.producer(), ByteOrder.BIG_ENDIAN);
        cursor(rows, "consumer", decoded.consumer(), ByteOrder.BIG_ENDIAN);
        flags(rows, decoded.producerFlags(), decoded.stateFlags());
        rows.assertPrinted(message, STRUCTURE);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldEncodeToTheSameBytesWhenMessageWasCaptured(Vectors.Message message) throws CdcException {
        byte[] amidstOtherBytes = new byte[message.bytes().length + 7];
        System.arraycopy(message.bytes(), 0, amidstOtherBytes, 3, message.bytes().length);
        CdcMessage decoded = CdcCodec.decode(amidstOtherBytes, 3, message.bytes().length);
        assertArrayEquals(message.bytes(), CdcCodec.encode(decoded));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadInPlaceWhatTheCodecReadsWhenMessageWasCaptured(Vectors.Message message) throws CdcException {
        CdcFlyweight inPlace = new CdcFlyweight().wrap(MemorySegment.ofArray(message.bytes()), 0);
        assertEquals(true, inPlace.isMessage(message.bytes().length));
        assertEquals(decode(message), CdcFlyweightTest.record(inPlace));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void shouldDecodeToThePrintedFieldsWhenHeaderWasCaptured(Vectors.Message message) throws CdcException {
        CdcHeader decoded = CdcCodec.decodeHeader(message.bytes(), 0, message.bytes().length, ByteOrder.LITTLE_ENDIAN);
        FieldRows rows = new FieldRows();
        cursor(rows, "producer", decoded.producer(), ByteOrder.LITTLE_ENDIAN);
        cursor(rows, "consumer", decoded.consumer(), ByteOrder.LITTLE_ENDIAN);
        flags(rows, decoded.producerFlags(), decoded.stateFlags());
        rows.assertPrinted(message, STRUCTURE);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void shouldEncodeToTheSameBytesWhenHeaderWasCaptured(Vectors.Message message) throws CdcException {
        CdcHeader decoded = CdcCodec.decodeHeader(message.bytes(), 0, message.bytes().length, ByteOrder.LITTLE_ENDIAN);
        assertArrayEquals(message.bytes(), CdcCodec.encode(decoded, ByteOrder.LITTLE_ENDIAN));
    }

    /** The constructed vectors of the specification. */
    @Test
    void shouldEncodeToTheBytesOfTheSpecification() {
        int flags = CdcFlags.WRITE_BLOCKED;
        int state = CdcFlags.DONE_WRITING;
        Cursor producer = new Cursor(1, 0x1234);
        Cursor consumer = new Cursor(0, 0x1000);
        assertEquals("fe2c000700000005000000010000123400000000000010008080000000000000000000000000000000000000",
                HexFormat.of().formatHex(CdcCodec.encode(new CdcMessage(7, 5, producer, consumer, flags, state))));
        assertEquals("fe00000000000000010034120000000000000010000080800000000000000000", HexFormat.of().formatHex(
                CdcCodec.encode(new CdcHeader(producer, consumer, flags, state), ByteOrder.LITTLE_ENDIAN)));
    }

    private static void cursor(FieldRows rows, String name, Cursor cursor, ByteOrder order) {
        boolean network = order == ByteOrder.BIG_ENDIAN;
        int wrap = network ? cursor.wrap() : Short.toUnsignedInt(Short.reverseBytes((short) cursor.wrap()));
        int count = network ? (int) cursor.count() : Integer.reverseBytes((int) cursor.count());
        rows.add(name + " wrap", 2, wrap, Integer.toString(cursor.wrap()));
        rows.add(name + " count", 4, count, Long.toString(cursor.count()));
    }

    private static void flags(FieldRows rows, int producerFlags, int stateFlags) {
        rows.add("producer flags", 1, producerFlags, names(producerFlags, PRODUCER_FLAGS));
        rows.add("state flags", 1, stateFlags, names(stateFlags, STATE_FLAGS));
    }

    private static String names(int flags, Map<Integer, String> names) {
        List<String> set = new ArrayList<>();
        names.forEach((flag, name) -> {
            if ((flags & flag) != 0) {
                set.addFirst(name);
            }
        });
        return set.isEmpty() ? "-" : String.join(" ", set);
    }
}
