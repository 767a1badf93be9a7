package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.diag.ReasonCode;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.time.VirtualTime;

/**
 * Plays one side of a captured conversation with our link groups: gives them what the other side said, and compares what they say
 * with what that side said then, byte for byte. Only what a device or chance decides is taken from the capture: numbers of queue
 * pairs, initial PSNs, rkeys and addresses, link group ids.
 */
final class Replay {
    private final Capture capture;
    private final boolean asClient;
    private final int bufferSize;
    private final VirtualTime time = new VirtualTime(1);
    private final Deque<Capture.Opened> toOpen;
    private final List<RnicPort> ports = new ArrayList<>();
    private final Map<RnicPort, Boolean> active = new HashMap<>();
    private final List<ReplayTransport> transports = new ArrayList<>();
    private final Deque<String> said = new ArrayDeque<>();
    private final Map<Integer, Runnable> actions = new HashMap<>();
    private final LinkGroups groups;
    private ClcProposal proposal;
    private SmcrTerms terms;
    /** The connections, in order. */
    final List<TestMember> members = new ArrayList<>();

    /** @param groupId that the side had in the capture */
    Replay(Capture capture, boolean asClient, int groupId, long testLinkNanos) {
        this.capture = capture;
        this.asClient = asClient;
        bufferSize = BufferSizes.size(capture.sizeCode(asClient));
        toOpen = new ArrayDeque<>(capture.links(asClient));
        for (Map.Entry<Gid, Mac> port : capture.ports(asClient).entrySet()) {
            RnicPort own = new RnicPort("rxe" + ports.size(), 1, "NET1", "eth0", port.getKey(), 0, port.getValue(), 5);
            ports.add(own);
            active.put(own, true);
        }
        ReplayDevices devices = new ReplayDevices();
        groups = new LinkGroups(time, devices, devices, new LinkGroupSettings(testLinkNanos, BufferMemory.ofProcess()),
                new Identifiers(time.random(), 0) {
                    @Override
                    int nextGroupId() {
                        return groupId;
                    }

                    @Override
                    int initialPsn() {
                        return toOpen.getFirst().initialPsn;
                    }
                });
    }

    /** Something that happens on our side before message {@code number}. */
    Replay before(int number, Runnable action) {
        actions.put(number, action);
        return this;
    }

    /** Our server needs a place for a connection before it can say this message. */
    Replay joins(int number) {
        return before(number, this::serverJoin);
    }

    /** Lets so many seconds pass after an action; what is said then was not captured. */
    void unheard(Runnable action, long seconds) {
        action.run();
        time.advance(seconds * TwoHosts.SECOND);
        said.clear();
    }

    Replay leaves(int number, int member) {
        return before(number, () -> members.get(member).membership.leave());
    }

    void run() {
        for (Capture.Entry entry : capture.entries()) {
            Runnable action = actions.remove(entry.number());
            if (action != null) {
                action.run();
                time.runDue();
            }
            if (entry.clc() != null) {
                clc(entry.clc());
            } else if (entry.ofClient() == asClient) {
                compare(entry);
            } else {
                hear(entry);
            }
            time.runDue();
        }
        assertTrue(said.isEmpty(), () -> "said, but not in the capture: " + said);
        assertTrue(actions.isEmpty(), "an action for a message that is not there");
        assertTrue(toOpen.isEmpty(), "a link of the capture was not opened");
    }

    private void compare(Capture.Entry entry) {
        String expected = entry.from() + " " + entry.to() + " " + HexFormat.of().formatHex(entry.bytes());
        assertEquals(expected, said.poll(), entry::toString);
    }

    /**
     * Queue pairs of two devices may have one number, and a capture does not say which it was; CONFIRM LINK is for the newest.
     */
    private void hear(Capture.Entry entry) {
        for (ReplayTransport transport : entry.llc() instanceof ConfirmLink ? transports.reversed() : transports) {
            if (transport.isEndOf(entry)) {
                transport.lastReceive = time.nanoTime();
                transport.listener.received(entry.bytes());
                return;
            }
        }
        // Our side has ended the link before this message came.
    }

    private void clc(ClcMessage message) {
        switch (message) {
            case ClcProposal offer -> proposal = offer;
            case ClcAcceptConfirmR accept when accept.type() == ClcType.ACCEPT -> {
                if (asClient) {
                    accepted(accept);
                } else {
                    accept(accept);
                }
            }
            case ClcAcceptConfirmR confirm -> {
                if (asClient) {
                    confirm(confirm);
                } else {
                    confirmed(confirm);
                }
            }
            case ClcDecline decline -> {
                if (!asClient) {
                    declined(decline);
                }
            }
            default -> throw new IllegalStateException("not of SMC-R: " + message);
        }
    }

    /** Our server has found a place, and has told of its RMB if it had to; now it accepts. */
    private void accept(ClcAcceptConfirmR accept) {
        if (accept.firstContact()) {
            terms = terms(accept);
            serverJoin();
        }
        SmcrMembership membership = members.getLast().membership;
        assertEquals(accept.firstContact(), membership.isFirstContact());
        assertEquals(List.of(), members.getLast().events.stream().filter(event -> event.startsWith("failed")).toList());
        check(accept, membership);
    }

    /** The part of the server before the Accept; needed earlier than that if the Accept is not the first that it says. */
    void serverJoin() {
        TestMember member = new TestMember();
        boolean v2 = terms.version() > 1;
        Gid gid = v2 ? proposal.v2Extension().roceGid() : proposal.roceGid();
        SmcrRequest request = new SmcrRequest(terms, ports.getFirst(), 0, false, proposal.systemId(), gid, proposal.mac(),
                bufferSize, bufferSize);
        try {
            member.membership = groups.serverJoin(request, member);
        } catch (LinkGroupException e) {
            throw new IllegalStateException(e.reason().toString(), e);
        }
        members.add(member);
        if (!member.membership.isFirstContact()) {
            member.membership.confirmRkey(member);
        }
        time.runDue();
    }

    private void confirmed(ClcAcceptConfirmR confirm) {
        TestMember member = members.getLast();
        if (confirm.firstContact()) {
            member.membership.firstContact(peer(confirm), rtoken(confirm), member);
            return;
        }
        try {
            member.membership.peerRmb(rtoken(confirm));
        } catch (LinkGroupException e) {
            throw new IllegalStateException(e.reason().toString(), e);
        }
        assertTrue(member.membership.establish());
    }

    private void declined(ClcDecline decline) {
        time.advance(2 * TwoHosts.SECOND);
        assertEquals("failed " + ReasonCode.of(decline.diagnosis()), members.getLast().last());
    }

    private void accepted(ClcAcceptConfirmR accept) {
        TestMember member = new TestMember();
        if (accept.firstContact()) {
            terms = terms(accept);
        }
        SmcrRequest request = new SmcrRequest(terms, ports.getFirst(), 0, false, accept.systemId(), accept.gid(), accept.mac(),
                bufferSize, bufferSize);
        try {
            if (accept.firstContact()) {
                member.membership = groups.clientFirstContact(request, peer(accept), rtoken(accept), member);
                member.membership.firstContact(member);
            } else {
                member.membership = groups.clientJoin(request, peer(accept), rtoken(accept), member);
                member.membership.confirmRkey(member);
            }
        } catch (LinkGroupException e) {
            throw new IllegalStateException(e.reason().toString(), e);
        }
        members.add(member);
    }

    private void confirm(ClcAcceptConfirmR confirm) {
        SmcrMembership membership = members.getLast().membership;
        check(confirm, membership);
        if (!confirm.firstContact()) {
            assertTrue(membership.establish());
        }
    }

    /** What our side would say in its Accept or Confirm is what was said. */
    private static void check(ClcAcceptConfirmR message, SmcrMembership membership) {
        Link link = membership.link();
        assertEquals(message.gid(), link.port().gid());
        assertEquals(message.mac(), link.port().mac());
        assertEquals(message.qpNumber(), link.transport().queuePair());
        assertEquals(message.initialPsn(), link.initialPsn());
        assertEquals(rtoken(message), membership.rtoken());
        assertEquals(message.sizeCode(), membership.rmb().sizeCode());
    }

    private static SmcrTerms terms(ClcAcceptConfirmR accept) {
        if (accept.version() == 1) {
            return SmcrTerms.version1();
        }
        FirstContactExtension first = accept.v2().firstContact();
        return new SmcrTerms(2, first.release(), first.maxConnections(), first.maxLinks(), accept.v2().eid(), null);
    }

    private static PeerQueuePair peer(ClcAcceptConfirmR message) {
        return new PeerQueuePair(message.qpNumber(), message.initialPsn(), message.mtuCode());
    }

    private static Rtoken rtoken(ClcAcceptConfirmR message) {
        return new Rtoken(message.rkey(), message.rmbAddress());
    }

    SmcrLinkGroup group() {
        return (SmcrLinkGroup) groups.groups().getFirst();
    }

    LinkGroups groups() {
        return groups;
    }

    VirtualTime time() {
        return time;
    }

    /** Our second port goes down or comes up. */
    void secondPort(boolean up) {
        RnicPort port = ports.get(1);
        active.put(port, up);
        if (up) {
            groups.portActive(port);
        } else {
            groups.portLost(port.device(), port.number());
        }
    }

    /** The link's queue pair fails. */
    void fail(int linkId) {
        transport(linkId).listener.failed();
    }

    /** What is sent on the link does not complete any more, nor is anything heard. */
    void silence(int linkId) {
        transport(linkId).silent = true;
    }

    private ReplayTransport transport(int linkId) {
        return (ReplayTransport) group().slots().byId(linkId).transport();
    }

    private final class ReplayDevices implements LinkPorts, LinkTransport.Factory {
        @Override
        public RnicPort alternate(RnicPort current, int version, int vlan) {
            for (RnicPort port : ports) {
                if (active.get(port) && !port.device().equals(current.device())) {
                    return port;
                }
            }
            return null;
        }

        @Override
        public LinkTransport open(RnicPort port, SmcrLinkGroup group, LinkTransport.Listener listener) {
            Capture.Opened opened = toOpen.removeFirst();
            assertEquals(opened.gid, port.gid(), "opened on another port");
            ReplayTransport transport = new ReplayTransport(opened, listener);
            transports.add(transport);
            return transport;
        }
    }

    private final class ReplayTransport implements LinkTransport {
        private final Capture.Opened opened;
        private final LinkTransport.Listener listener;
        private LinkTransport.Peer peer;
        private boolean failed;
        private boolean silent;
        private long lastReceive = time.nanoTime();

        private ReplayTransport(Capture.Opened opened, LinkTransport.Listener listener) {
            this.opened = opened;
            this.listener = listener;
        }

        private boolean isEndOf(Capture.Entry entry) {
            return !failed && peer != null && opened.queuePair == entry.to() && peer.gid().equals(entry.from());
        }

        @Override
        public int queuePair() {
            return opened.queuePair;
        }

        @Override
        public int controlSlots() {
            return 16;
        }

        @Override
        public int receiveBuffers() {
            return 48;
        }

        @Override
        public void connect(LinkTransport.Peer to) {
            peer = to;
        }

        @Override
        public void readyToSend(int initialPsn) {
            assertEquals(opened.initialPsn, initialPsn);
        }

        @Override
        public void send(byte[] message, LinkTransport.SendResult result) {
            said.add(opened.gid + " " + peer.queuePair() + " " + HexFormat.of().formatHex(message));
            time.execute(() -> result.sent(true));
        }

        @Override
        public MemoryRegion register(MemorySegment memory, boolean remoteWrite) {
            // What the capture does not tell of, such as the RMBs on a link that was refused, is not said by us either.
            Rtoken told = remoteWrite ? opened.rtokens.poll() : null;
            Rtoken rtoken = told == null ? new Rtoken(0, 0) : told;
            return new FakeFabric.FakeRegion(MemorySegment.ofAddress(rtoken.address()), rtoken.rkey(), () -> {
            });
        }

        @Override
        public long lastReceiveNanos() {
            return lastReceive;
        }

        @Override
        public void drain(Runnable drained) {
            if (!silent) {
                time.execute(drained);
            }
        }

        @Override
        public void stop() {
        }

        @Override
        public void fail(Runnable flushed) {
            failed = true;
            time.execute(flushed);
        }

        @Override
        public void close() {
            assertTrue(failed);
        }
    }
}
