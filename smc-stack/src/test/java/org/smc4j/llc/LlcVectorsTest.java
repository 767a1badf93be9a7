package org.smc4j.llc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.clc.Vectors;

@Timeout(30)
class LlcVectorsTest {
    /** Rows that the codec derives; the comparison of the encoded bytes covers them. */
    private static final Set<String> STRUCTURE = Set.of("type", "length", "reserved", "count of GIDs");

    private static final List<Vectors.Message> MESSAGES = Vectors.ofKind("llc");

    static List<Vectors.Message> messages() {
        return MESSAGES;
    }

    private static LlcMessage decode(Vectors.Message message) throws LlcException {
        return LlcCodec.decode(message.bytes(), 0, message.bytes().length);
    }

    @Test
    void shouldFindEveryLlcMessageWhenFilesAreRead() throws LlcException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Vectors.Message message : messages()) {
            LlcMessage decoded = decode(message);
            counts.merge("v" + decoded.version() + " " + decoded.type(), 1, Integer::sum);
        }
        Map<String, Integer> expected = new TreeMap<>(Map.of("v1 CONFIRM_LINK", 10, "v1 ADD_LINK", 9, "v1 ADD_LINK_CONTINUE", 6,
                "v1 DELETE_LINK", 8, "v1 CONFIRM_RKEY", 16, "v1 TEST_LINK", 4, "v1 DELETE_RKEY", 22));
        expected.putAll(Map.of("v2 CONFIRM_LINK", 16, "v2 ADD_LINK", 12, "v2 DELETE_LINK", 10, "v2 REQUEST_ADD_LINK", 1,
                "v2 CONFIRM_RKEY", 19, "v2 TEST_LINK", 4, "v2 DELETE_RKEY", 28));
        assertEquals(expected, counts);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldDecodeToThePrintedFieldsWhenMessageWasCaptured(Vectors.Message message) throws LlcException {
        LlcFieldView.of(decode(message)).assertPrinted(message, STRUCTURE);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldEncodeToTheSameBytesWhenMessageWasCaptured(Vectors.Message message) throws LlcException {
        byte[] bytes = message.bytes();
        byte[] amidstOtherBytes = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, amidstOtherBytes, 3, bytes.length);
        assertArrayEquals(bytes, LlcCodec.encode(LlcCodec.decode(amidstOtherBytes, 3, bytes.length)));
    }

    static List<Vectors.Message> repeatingResponses() {
        return messages().stream().filter(message -> message.headers().get("is").contains("response"))
                .filter(message -> message.headers().get("is").matches(".*(CONFIRM RKEY|DELETE|TEST|rejected).*")).toList();
    }

    @ParameterizedTest
    @MethodSource("repeatingResponses")
    void shouldAnswerAsTheKernelDidWhenRequestWasCaptured(Vectors.Message captured) throws LlcException {
        LlcMessage response = decode(captured);
        List<LlcMessage> answers = new ArrayList<>();
        for (Vectors.Message earlier : messages()) {
            if (earlier.id().equals(captured.id())) {
                break;
            }
            LlcMessage request = decode(earlier);
            if (file(earlier).equals(file(captured)) && !request.response() && request.type() == response.type()
                    && !earlier.headers().get("from").equals(captured.headers().get("from"))) {
                answers.add(answer(request, response));
            }
        }
        assertTrue(answers.contains(response), response + " is not among " + answers);
    }

    private static String file(Vectors.Message message) {
        return message.id().substring(0, message.id().indexOf(' '));
    }

    private static LlcMessage answer(LlcMessage request, LlcMessage response) {
        return switch (request) {
            case AddLink add -> add.rejection();
            case ConfirmRkey confirm -> confirm.answer(true);
            case DeleteRkey delete -> delete.answer(new BitSet());
            case DeleteLink delete -> delete.answer(((DeleteLink) response).reason());
            case TestLink test -> test.answer();
            default -> throw new AssertionError(request);
        };
    }
}
