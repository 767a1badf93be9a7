package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.llc.DeleteLink;

/**
 * The captured conversations of kernels: in the place of either side, our link groups say what the kernel said there. What
 * programs and administrators did then is done before the message that it led to.
 */
@Timeout(20)
class ReplayTest {
    private static final int CLIENT_GROUP = 0x200;
    private static final int SERVER_GROUP = 0x100;
    private static final int USERSPACE_GROUP = 0x900;
    private static final long SECOND = TwoHosts.SECOND;

    private static Capture capture(String file) {
        return new Capture().read(file, 1, Integer.MAX_VALUE);
    }

    private static Replay client(Capture capture, long testLinkNanos) {
        return new Replay(capture, true, CLIENT_GROUP, testLinkNanos);
    }

    private static Replay server(Capture capture, long testLinkNanos) {
        return new Replay(capture, false, SERVER_GROUP, testLinkNanos);
    }

    @Test
    void shouldSayWhatAClientSaidWhenVersion2Connects() {
        Replay replay = client(capture("smcr-v2-connect.txt"), 0).leaves(26, 1).leaves(32, 0);
        replay.run();
        assertTrue(replay.members.getFirst().isEstablished());
    }

    @Test
    void shouldSayWhatAServerSaidWhenVersion2Connects() {
        Replay replay = server(capture("smcr-v2-connect.txt"), 0).joins(13).leaves(24, 1).leaves(30, 0);
        replay.run();
        assertTrue(replay.members.getFirst().isEstablished());
    }

    @Test
    void shouldSayWhatAClientSaidWhenVersion1Connects() {
        Replay replay = client(capture("smcr-v1-connect.txt"), 2 * SECOND);
        replay.leaves(24, 1).leaves(30, 0).before(32, () -> replay.time().advance(2 * SECOND));
        replay.run();
        assertTrue(replay.groups().groups().isEmpty());
    }

    @Test
    void shouldSayWhatAServerSaidWhenVersion1Connects() {
        Replay replay = server(capture("smcr-v1-connect.txt"), 2 * SECOND);
        replay.joins(11).leaves(22, 1).leaves(28, 0).before(32, () -> replay.time().advance(2 * SECOND))
                .before(36, () -> replay.groups().terminateAll(DeleteLink.OPERATOR_INITIATED, () -> {
                }));
        replay.run();
    }

    /** The link group of the capture before, with one connection, which is over. */
    private static Capture linkEnd(int first, int last) {
        return new Capture().read("smcr-v2-connect.txt", 3, 9).read("smcr-v2-link-end.txt", first, last);
    }

    @Test
    void shouldSayWhatAClientSaidWhenALinkIsIdleAndEnds() {
        Replay replay = client(linkEnd(1, 6), SECOND);
        replay.before(3, () -> replay.time().advance(SECOND));
        replay.run();
        assertEquals("killed 20000", replay.members.getFirst().last());
    }

    @Test
    void shouldSayWhatAServerSaidWhenALinkIsIdleAndEnds() {
        Replay replay = server(linkEnd(1, 6), SECOND);
        replay.before(1, () -> replay.time().advance(SECOND))
                .before(5, () -> replay.groups().terminateAll(DeleteLink.OPERATOR_INITIATED, () -> {
                }));
        replay.run();
        assertEquals("killed 20000", replay.members.getFirst().last());
    }

    @Test
    void shouldSayWhatAClientSaidWhenTheLinkGroupIsUnused() {
        Replay replay = client(linkEnd(7, 8), 0);
        // The DELETE RKEY of this connection is not in the capture.
        replay.before(7, () -> replay.unheard(() -> replay.members.getFirst().membership.leave(), 600));
        replay.run();
        assertTrue(replay.groups().groups().isEmpty());
    }

    @Test
    void shouldSayWhatAServerSaidWhenTheLinkGroupIsUnused() {
        Replay replay = server(linkEnd(7, 8), 0);
        replay.before(7, () -> {
            replay.unheard(() -> replay.members.getFirst().membership.leave(), 599);
            replay.time().advance(SECOND);
        });
        replay.run();
        assertTrue(replay.groups().groups().isEmpty());
    }

    @Test
    void shouldSayWhatAClientSaidWhenVersion2HasTwoPorts() {
        Replay replay = client(capture("smcr-v2-two-ports.txt"), 0);
        replay.before(30, () -> replay.secondPort(false)).leaves(46, 0).before(50, () -> replay.secondPort(true)).leaves(64, 1)
                .leaves(90, 2).before(95, () -> replay.fail(4)).leaves(103, 3);
        replay.run();
        assertEquals(List.of("established"), replay.members.get(0).events);
        assertEquals("moved to 1", replay.members.get(1).last());
        assertEquals("moved to 1", replay.members.get(3).last());
    }

    @Test
    void shouldSayWhatAServerSaidWhenVersion2HasTwoPorts() {
        Replay replay = server(capture("smcr-v2-two-ports.txt"), 0);
        replay.joins(17).leaves(48, 0).leaves(62, 1).joins(67).joins(76).leaves(92, 2).before(95, () -> replay.silence(4));
        replay.run();
        assertEquals("moved to 1", replay.members.get(1).last());
        assertEquals("moved to 1", replay.members.get(3).last());
    }

    @Test
    void shouldSayWhatAClientSaidWhenVersion1HasTwoPorts() {
        Replay replay = client(capture("smcr-v1-two-ports.txt"), 0);
        replay.before(32, () -> replay.secondPort(false)).before(48, () -> replay.secondPort(true)).leaves(59, 0).leaves(70, 1)
                .leaves(96, 2).before(101, () -> replay.fail(4)).leaves(109, 3);
        replay.run();
        assertEquals("moved to 1", replay.members.get(1).last());
        assertEquals("moved to 1", replay.members.get(3).last());
    }

    @Test
    void shouldSayWhatAServerSaidWhenVersion1HasTwoPorts() {
        Replay replay = server(capture("smcr-v1-two-ports.txt"), 0);
        replay.joins(15).leaves(61, 0).leaves(68, 1).joins(73).joins(82).leaves(98, 2).before(101, () -> replay.silence(4));
        replay.run();
        assertEquals("moved to 1", replay.members.get(1).last());
        assertEquals("moved to 1", replay.members.get(3).last());
    }

    @Test
    void shouldSayWhatAClientSaidWhenItHasOnePortAndTheServerTwo() {
        Replay replay = client(new Capture().read("smcr-v2-asymmetric.txt", 1, 17), 0).leaves(14, 0);
        replay.run();
        assertEquals(LinkGroupType.ASYMMETRIC_LOCAL, replay.group().type());
    }

    @Test
    void shouldSayWhatAServerSaidWhenTheClientHasOnePortAndLosesTheGroup() {
        Replay replay = server(capture("smcr-v2-asymmetric.txt"), 0).leaves(14, 0).joins(19).joins(22);
        replay.run();
        assertEquals(LinkGroupType.ASYMMETRIC_PEER, replay.group().type());
    }

    @Test
    void shouldSayWhatAServerSaidWhenItsPeerWasNoKernel() {
        Replay replay = server(capture("smcr-v2-userspace-peer.txt"), 0).leaves(16, 0).joins(19);
        replay.run();
        assertEquals("failed ERR_REGBUF", replay.members.getLast().last());
    }

    @Test
    void shouldSayWhatAKernelTookWhenItWasNoKernelThatSaidIt() {
        Replay replay = new Replay(new Capture().read("smcr-v2-userspace-peer.txt", 1, 17), true, USERSPACE_GROUP, 0);
        replay.run();
        assertTrue(replay.members.getFirst().isEstablished());
    }
}
