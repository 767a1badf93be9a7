package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class ClcVectorsTest {
    /** Rows that the codec derives; the comparison of the encoded bytes covers them. */
    private static final Set<String> STRUCTURE = Set.of("eyecatcher", "type", "length", "trailer", "reserved",
            "vendor OUI", "vendor options", "IP area offset", "v2 extension offset", "SMC-D extension offset",
            "count of UEIDs", "count of ISM entries", "count of IPv6 prefixes", "count of GIDs");

    static List<Vectors.Message> messages() {
        return Vectors.ofKind("clc");
    }

    @Test
    void shouldFindEveryClcMessageWhenFilesAreRead() throws ClcException {
        Map<ClcType, Integer> counts = new EnumMap<>(ClcType.class);
        for (Vectors.Message message : messages()) {
            ClcMessage decoded = ClcCodec.decode(message.bytes(), 0, message.bytes().length);
            counts.merge(decoded.type(), 1, Integer::sum);
        }
        assertEquals(Map.of(ClcType.PROPOSAL, 50, ClcType.ACCEPT, 35, ClcType.CONFIRM, 28, ClcType.DECLINE, 29),
                counts);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldDecodeToThePrintedFieldsWhenMessageWasCaptured(Vectors.Message message) throws ClcException {
        ClcMessage decoded = ClcCodec.decode(message.bytes(), 0, message.bytes().length);
        FieldView.of(decoded).assertPrinted(message, STRUCTURE);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldEncodeToTheSameBytesWhenMessageWasCaptured(Vectors.Message message) throws ClcException {
        byte[] bytes = message.bytes();
        byte[] amidstOtherBytes = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, amidstOtherBytes, 3, bytes.length);
        assertArrayEquals(bytes, ClcCodec.encode(ClcCodec.decode(amidstOtherBytes, 3, bytes.length)));
    }
}
