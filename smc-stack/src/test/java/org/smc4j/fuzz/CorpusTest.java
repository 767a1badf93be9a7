package org.smc4j.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.clc.Vectors;

/** Plays what the fuzzer found; {@link JazzerRun} finds more. */
@Timeout(30)
class CorpusTest {
    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    void shouldGiveMessageOrItsExceptionWhenInputWasFoundByTheFuzzer(FuzzTarget target) {
        List<byte[]> inputs = Corpus.of(target);
        int messages = 0;
        for (byte[] input : inputs) {
            messages += Decoders.check(target, input) ? 1 : 0;
            messages += Decoders.check(target, target.repaired(input)) ? 1 : 0;
        }
        assertTrue(messages > 0, "none of " + inputs.size() + " inputs was a message");
        assertTrue(messages < 2 * inputs.size(), "none of " + inputs.size() + " inputs was refused");
    }

    @Test
    void shouldHaveADecoderWhenAKindOfMessageWasCaptured() {
        Set<String> captured = Vectors.all().stream().map(message -> message.headers().get("kind")).collect(Collectors.toSet());
        Set<String> decoded = Arrays.stream(FuzzTarget.values()).flatMap(target -> target.kinds().stream())
                .collect(Collectors.toSet());
        assertEquals(captured, decoded);
    }
}
