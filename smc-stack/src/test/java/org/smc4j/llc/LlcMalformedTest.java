package org.smc4j.llc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Valid messages with one thing broken, and the field that the refusal must name. */
@Timeout(10)
class LlcMalformedTest {
    private static final LlcMessage TEST_V1 = TestLink.request(1);
    private static final LlcMessage TEST_V2 = TestLink.request(2);
    private static final LlcMessage ADD_V2 = LlcSamples.addLink(1, 1);

    static List<Arguments> faults() {
        return List.of(
                fault("type", "a CDC message", TEST_V1, 0, 0xFE),
                fault("type", "zero", TEST_V1, 0, 0x00),
                fault("type", "ten", TEST_V1, 0, 0x0A),
                fault("type", "version nibble 1", TEST_V1, 0, 0x17),
                fault("type", "version nibble 3", TEST_V2, 0, 0x37),
                fault("type", "REQUEST ADD LINK in version 1", TEST_V1, 0, 0x05),
                fault("type", "ADD LINK CONTINUE in version 2", TEST_V2, 0, 0x23),
                fault("type", "CONFIRM RKEY CONTINUE in version 2", TEST_V2, 0, 0x28),
                fault("length", "one less in version 1", TEST_V1, 1, 43),
                fault("length", "one more in version 1", TEST_V1, 1, 45),
                fault("length", "one less in version 2", TEST_V2, 1, 43),
                fault("length", "one more in version 2", TEST_V2, 1, 45),
                fault("length", "high byte in version 2", TEST_V2, 2, 1),
                fault("extension flags", "a new link without its extension", LlcSamples.addLink(1, 1).rejection(), 3, 0x80),
                fault("length", "a long message as version 1", ADD_V2, 0, 0x02),
                fault("count of GIDs", "one more than present", LlcSamples.requestAddLink(2), 24, 3),
                fault("count of GIDs", "two in 44 bytes", LlcSamples.requestAddLink(1), 24, 2),
                fault("count of GIDs", "255", LlcSamples.requestAddLink(2), 24, 255),
                fault("count of rkeys", "nine in version 1", LlcSamples.deleteRkey(1, 8), 4, 9),
                fault("count of rkeys", "ten in 44 bytes", LlcSamples.deleteRkey(2, 9), 4, 10),
                fault("count of rkeys", "255 in 44 bytes", LlcSamples.deleteRkey(2, 1), 4, 255),
                fault("count of rkeys", "nine in a response of version 1",
                        new DeleteRkey(1, true, false, 8, 0, LlcSamples.deleteRkey(1, 8).rkeys()), 4, 9));
    }

    private static Arguments fault(String field, String what, LlcMessage message, int index, int value) {
        return Arguments.of(field + ": " + what, message, index, value, field);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldNameTheFieldWhenOneByteIsWrong(String name, LlcMessage message, int index, int value, String field) {
        byte[] bytes = LlcCodec.encode(message);
        bytes[index] = (byte) value;
        LlcException refusal = assertThrows(LlcException.class, () -> LlcCodec.decode(bytes, 0, bytes.length));
        assertEquals(field, refusal.field(), refusal.getMessage());
        String start = "LLC message: " + field + ": expected " + refusal.expected() + ", found ";
        assertTrue(refusal.getMessage().startsWith(start), refusal.getMessage());
    }
}
