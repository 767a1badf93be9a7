package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.diag.SmcState;
import org.smc4j.roce.Completions;

/** Messages of several links, in the order in which their devices are polled, and the judgement of spec/30-cdc.md §7. */
@Timeout(30)
class InboxTest extends ConnectionFixture {
    private static final CdcFlyweight FLYWEIGHT = new CdcFlyweight();

    private final Progress progress = new Progress(RING, RING, RING);
    private WorkQueue oldLink;
    private WorkQueue newLink;
    private Inbox inbox;

    @BeforeEach
    void create() {
        oldLink = hosts.client.workQueues.get(0);
        newLink = hosts.client.workQueues.get(1);
        inbox = new Inbox(progress, MemorySegment.ofArray(new byte[RING]), oldLink);
    }

    private int receive(WorkQueue from, CdcMessage message) {
        return inbox.received(from, FLYWEIGHT.wrap(MemorySegment.ofArray(CdcCodec.encode(message)), 0));
    }

    private int receive(WorkQueue from, int sequence, long produced) {
        return receive(from, cdc(sequence, produced, 0, 0, 0));
    }

    private int validate(WorkQueue from, int sequence) {
        return receive(from, CdcMessage.validation(sequence, 5));
    }

    @Test
    void shouldSeeToTheOldLinkBeforeItGoesOnWithTheNewOne() {
        assertEquals(Inbox.READABLE, receive(oldLink, 1, 10));
        assertEquals(Inbox.JUDGE, validate(newLink, 2));
        assertEquals(0, receive(newLink, 5, 50));
        assertEquals(10, progress.produced, "what follows waits");
        // The old link's completions are polled only now; among them one whose flag no later message repeats.
        receive(oldLink, cdc(2, 20, 0, CdcFlags.URGENT_PENDING | CdcFlags.URGENT_PRESENT, 0));
        receive(oldLink, 3, 30);
        assertEquals(19, progress.urgentAt);
        assertEquals(30, progress.produced);
        assertEquals(Inbox.READABLE, inbox.judge());
        assertEquals(50, progress.produced);
        assertEquals(0, receive(oldLink, 4, 40), "older than what was seen");
        assertEquals(Inbox.READABLE, receive(newLink, 6, 60));
        assertEquals(0, inbox.judge(), "judged already");
    }

    @Test
    void shouldBeOutOfSyncWhenAMessageIsMissing() {
        receive(oldLink, 1, 10);
        assertEquals(Inbox.JUDGE, validate(newLink, 2));
        assertEquals(Inbox.OUT_OF_SYNC, inbox.judge());
        assertSame(newLink, inbox.validated());
        assertEquals(0, receive(newLink, 3, 30));
        assertEquals(10, progress.produced, "nothing is taken in any more");
    }

    @Test
    void shouldBeInSyncWhenTheLastMessagesAreNotKnownToHaveArrived() {
        receive(oldLink, 1, 10);
        receive(oldLink, 2, 20);
        assertEquals(Inbox.JUDGE, validate(newLink, 0));
        assertEquals(0, inbox.judge());
        assertEquals(Inbox.JUDGE, validate(newLink, 2));
        assertEquals(0, inbox.judge());
    }

    @Test
    void shouldCompareSequenceNumbersAcrossTheirEnd() {
        for (int sequence : new int[] {0x7000, 0xE000, 0xFFFF, 3}) {
            receive(oldLink, sequence, 0);
        }
        validate(newLink, 0xFFFE);
        assertEquals(0, inbox.judge());
        validate(newLink, 4);
        assertEquals(Inbox.OUT_OF_SYNC, inbox.judge());
    }

    /** The peer goes on to a third link before its first move was judged. */
    @Test
    void shouldJudgeOneAfterTheOtherWhenThePeerMovesAgain() {
        WorkQueue third = hosts.server.workQueues.get(0);
        receive(oldLink, 1, 10);
        assertEquals(Inbox.JUDGE, validate(newLink, 1));
        assertEquals(0, receive(newLink, 2, 20));
        assertEquals(0, validate(third, 2));
        assertEquals(0, receive(third, 3, 30));
        assertEquals(0, receive(newLink, 2, 20));
        assertEquals(Inbox.READABLE | Inbox.JUDGE, inbox.judge());
        assertEquals(20, progress.produced);
        assertSame(third, inbox.validated());
        assertEquals(0, receive(third, 4, 40));
        assertEquals(Inbox.READABLE, inbox.judge());
        assertEquals(40, progress.produced);
    }

    @Test
    void shouldNotHoldBackWithoutEnd() {
        validate(newLink, 1);
        int held = 0;
        while (receive(newLink, 1, 0) == 0) {
            held++;
        }
        assertEquals(1024, held);
        assertEquals(Inbox.VIOLATION, receive(newLink, 1, 0));
    }

    @Test
    void shouldConfirmByMessagesOfThePresentLinkOnly() {
        inbox.completed(oldLink, Completions.SUCCESS, 100, 0);
        inbox.completed(oldLink, Completions.SUCCESS, 200, 1);
        inbox.completed(oldLink, Completions.FLUSH_ERROR, 300, 2);
        assertEquals(200, progress.confirmed);
        assertEquals(2, progress.completed);
        assertEquals(1, inbox.completedSequence());
        inbox.moveTo(newLink);
        inbox.completed(oldLink, Completions.SUCCESS, 400, 3);
        assertEquals(200, progress.confirmed);
        assertEquals(0, progress.completed);
        inbox.completed(newLink, Completions.SUCCESS, 300, 4);
        assertEquals(300, progress.confirmed);
        assertEquals(5, progress.allCompleted);
    }

    /** "connection out of sync, abort flag set and sent on the link the message came from, connection killed". */
    @Test
    void shouldAbortOnTheLinkOfTheMessageWhenOutOfSync() throws Exception {
        forge(1, CdcMessage.validation(2, Options.PLAIN.clientToken()));
        settle();
        assertTrue(client.connection.isBroken());
        assertEquals(SmcState.CLOSED, client.connection.state());
        assertEquals(1, hosts.posted.getLast().link());
        assertEquals(byClient(1, 0, 0, 0, CdcFlags.CONN_ABORT), posted().getLast());
        assertEquals(CdcFlags.CONN_ABORT, server.connection.peerFlags());
        assertTrue(hosts.client.failed.isEmpty());
    }

    @Test
    void shouldIgnoreAValidationMessageThatFits() throws Exception {
        forge(1, CdcMessage.validation(0, Options.PLAIN.clientToken()));
        forge(1, cdc(1, 10, 0, 0, 0));
        assertEquals(10, client.connection.available());
        assertTrue(posted().isEmpty());
    }
}
