package org.smc4j.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.time.VirtualTime;

@Timeout(30)
class NegativeAnswersTest {
    private static final long MINUTE = 60_000_000_000L;
    private final VirtualTime time = new VirtualTime(1);
    private final NegativeAnswers answers = new NegativeAnswers(time, MINUTE);

    private static InetAddress host(int number) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number});
    }

    @Test
    void shouldForgetARefusalSoonerThanTheRest() throws UnknownHostException {
        answers.add(host(1), DeclineReason.REFUSED);
        answers.add(host(2), DeclineReason.NO_ANSWER);
        time.advance(NegativeAnswers.REFUSED_NANOS - 1);
        assertEquals(DeclineReason.REFUSED, answers.get(host(1)));
        time.advance(1);
        assertNull(answers.get(host(1)));
        assertEquals(DeclineReason.NO_ANSWER, answers.get(host(2)));
        time.advance(MINUTE - NegativeAnswers.REFUSED_NANOS);
        assertNull(answers.get(host(2)));
    }

    @Test
    void shouldKnowTheLastAnswerOnly() throws UnknownHostException {
        answers.add(host(1), DeclineReason.REFUSED);
        answers.add(host(1), DeclineReason.SECRET);
        assertEquals(DeclineReason.SECRET, answers.get(host(1)));
        answers.add(host(1), DeclineReason.REFUSED);
        time.advance(NegativeAnswers.REFUSED_NANOS);
        assertNull(answers.get(host(1)));
        answers.add(host(1), DeclineReason.NOT_A_PEER);
        answers.remove(host(1));
        assertNull(answers.get(host(1)));
    }

    @Test
    void shouldRememberAsManyHostsAsItMayAndNoMore() throws UnknownHostException {
        for (int i = 0; i < 10_000; i++) {
            answers.add(host(i), DeclineReason.NO_ANSWER);
        }
        assertNull(answers.get(host(10_000 - 4097)));
        assertEquals(DeclineReason.NO_ANSWER, answers.get(host(10_000 - 4096)));
    }
}
