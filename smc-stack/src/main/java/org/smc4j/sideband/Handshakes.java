package org.smc4j.sideband;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.smc4j.carrier.FourTuple;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.IsmDevice;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.ism.Dmb;
import org.smc4j.ism.DmbException;
import org.smc4j.ism.Doorbell;
import org.smc4j.ism.EmulatedIsm;
import org.smc4j.negotiation.LocalEids;
import org.smc4j.roce.Gids;
import org.smc4j.status.DeviceStatus;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.stream.DmbStream;
import org.smc4j.stream.SmcStream;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;

/** The CLC handshake of SMC-D v2 at both ends; see {@link Handshake} for its states. Used by the sideband's thread only. */
final class Handshakes {
    /** Makes two agents eligible for each other without configuration; configured UEIDs replace it. */
    private static final String BUILT_IN_UEID = "SMC4J.DEFAULT";
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long LOCAL_ADDRESSES_NANOS = 5_000 * NANOS_PER_MILLI;
    private static final int LIMITED_HANDSHAKES = 8;
    /**
     * Handshakes that a client has under way on one link. Their messages fit into the buffer of the socket, so that none of a
     * program that makes thousands of connections at once gets lost.
     */
    private static final int PROPOSED_AT_ONCE = 128;

    private final Sideband sideband;
    private final EmulatedIsm device = new EmulatedIsm();
    private final Gid gid;
    private final List<Eid> ueids;
    private final byte[] proposal;
    private final Set<Handshake> open = new LinkedHashSet<>();
    private final Set<Handshake> waiting = new LinkedHashSet<>();
    private final Map<Endpoint, Handshake> byEndpoint = new IdentityHashMap<>();
    private final Set<InetAddress> localAddresses = new LinkedHashSet<>();
    private long localAddressesRead;
    private long nextId = 1;
    private int nextLinkGroup = 0x100;

    Handshakes(Sideband sideband) {
        this.sideband = sideband;
        this.gid = gid(device);
        this.ueids = ueids(sideband.sysctl.text(Tunable.UEID));
        this.proposal = proposal(sideband.sysctl);
    }

    /** What a client with these settings offers, encoded. */
    static byte[] proposal(Sysctl sysctl) {
        EmulatedIsm device = new EmulatedIsm();
        return ClcCodec.encode(ClcProposal.smcdV2(gid(device), device.chid(), ueids(sysctl.text(Tunable.UEID))));
    }

    private static Gid gid(EmulatedIsm device) {
        java.nio.ByteBuffer bytes = java.nio.ByteBuffer.wrap(device.gid());
        return new Gid(bytes.getLong(), bytes.getLong());
    }

    private static List<Eid> ueids(String text) {
        List<Eid> result = new ArrayList<>();
        for (String word : text.replace(',', ' ').trim().split(" +")) {
            if (!word.isEmpty()) {
                result.add(Eid.ueid(word));
            }
        }
        return result.isEmpty() ? List.of(Eid.ueid(BUILT_IN_UEID)) : List.copyOf(result);
    }

    static LocalEids eids(Sysctl sysctl) {
        return new LocalEids(ueids(sysctl.text(Tunable.UEID)), Eid.NONE, false);
    }

    boolean isBusy() {
        return !open.isEmpty();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    // -- Client --

    void propose(Endpoint endpoint) {
        if (!endpoint.isSwitchable()) {
            endpoint.declined(ReasonCode.INTERR.number());
            return;
        }
        SocketAddresses.Address local = SocketAddresses.local(endpoint.descriptor());
        SocketAddresses.Address remote = SocketAddresses.remote(endpoint.descriptor());
        if (local == null || remote == null) {
            endpoint.declined(ReasonCode.INTERR.number());
            return;
        }
        if (!sideband.sysctl.flag(Tunable.ENABLED)
                || !sideband.sysctl.rules(Tunable.CONNECT).allows(remote.bytes(), remote.port())) {
            endpoint.declined(ReasonCode.CNFERR.number());
            return;
        }
        boolean isLocal = isLocal(remote.bytes(), local.bytes());
        if (!isLocal && sideband.hosts() != null) {
            sideband.hosts().propose(endpoint, FourTuple.of(local, remote));
            return;
        }
        Link link = isLocal ? sideband.linkTo(remote.bytes(), remote.port()) : null;
        if (link == null) {
            endpoint.declined(ReasonCode.PEERNOSMC.number());
            return;
        }
        if (link.proposed.size() < PROPOSED_AT_ONCE) {
            propose(link, endpoint, FourTuple.of(local, remote));
        } else {
            link.backlog.add(endpoint);
        }
    }

    private void propose(Link link, Endpoint endpoint, FourTuple tuple) {
        Handshake handshake = new Handshake(link, nextId++, tuple, endpoint, Handshake.State.PROPOSED, deadline());
        open.add(handshake);
        byEndpoint.put(endpoint, handshake);
        link.proposed.put(handshake.id, handshake);
        sideband.send(link, new Envelope(Envelope.Type.PROPOSAL, handshake.id, handshake.tuple, proposal));
    }

    /** The peer has answered: what had to wait for that comes next. */
    void proposeNext(Link link) {
        while (link.proposed.size() < PROPOSED_AT_ONCE && !link.backlog.isEmpty()) {
            propose(link.backlog.remove());
        }
    }

    private long deadline() {
        return System.nanoTime() + sideband.sysctl.number(Tunable.HANDSHAKE_TIMEOUT_MS) * NANOS_PER_MILLI;
    }

    private boolean isLocal(byte[] remote, byte[] local) {
        if (Arrays.equals(remote, local)) {
            return true;
        }
        try {
            InetAddress address = InetAddress.getByAddress(remote);
            return address.isLoopbackAddress() || localAddresses().contains(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private Set<InetAddress> localAddresses() {
        long now = System.nanoTime();
        if (localAddresses.isEmpty() || now - localAddressesRead > LOCAL_ADDRESSES_NANOS) {
            localAddresses.clear();
            localAddressesRead = now;
            try {
                var interfaces = NetworkInterface.getNetworkInterfaces();
                while (interfaces.hasMoreElements()) {
                    var addresses = interfaces.nextElement().getInetAddresses();
                    while (addresses.hasMoreElements()) {
                        localAddresses.add(addresses.nextElement());
                    }
                }
            } catch (SocketException e) {
                Log.debug("cannot list the addresses of this host: " + e.getMessage());
            }
        }
        return localAddresses;
    }

    private void accepted(Handshake handshake, ClcAcceptConfirmD accept, UnixSocket.Message message) {
        try {
            handshake.arena = Arena.ofShared();
            Dmb peerDmb = device.attachDmb(accept.dmbToken(), Dmb.sizeOf(accept.sizeCode()), message.descriptors()[0],
                    handshake.arena);
            Doorbell.check(message.descriptors()[1]);
            int[] offered = offer(handshake);
            SmcStream stream = stream(handshake, peerDmb, message);
            if (!handshake.endpoint.attach(stream)) {
                stream.close();
                stream.release();
                Linux.close(offered[0]);
                Linux.close(offered[1]);
                giveUp(handshake, ReasonCode.INTERR);
                return;
            }
            handshake.link.attached.add(handshake.endpoint);
            handshake.state = Handshake.State.CONFIRMED;
            open.remove(handshake);
            byte[] confirm = ClcCodec.encode(answer(ClcType.CONFIRM, handshake, accept.v2().eid()));
            sideband.send(handshake.link, new Envelope(Envelope.Type.CONFIRM, handshake.id, handshake.tuple, confirm), offered);
        } catch (DmbException e) {
            Log.debug(handshake.tuple + ": " + e.getMessage());
            message.closeDescriptors();
            giveUp(handshake, ReasonCode.MEM);
        }
    }

    /** Makes the stream of what both ends offered; from here on it owns that. */
    private static SmcStream stream(Handshake handshake, Dmb peerDmb, UnixSocket.Message message) {
        SmcStream stream = new DmbStream(handshake.arena, handshake.ownDmb, peerDmb, handshake.ownDoorbell,
                message.descriptors()[1], handshake.endpoint);
        Linux.close(message.descriptors()[0]);
        handshake.arena = null;
        handshake.ownDoorbell = -1;
        return stream;
    }

    /** Makes our DMB and doorbell, and the descriptors of both that go to the peer. */
    private int[] offer(Handshake handshake) throws DmbException {
        var registered = device.registerDmb(dmbSize(), handshake.arena);
        handshake.ownDmb = registered.dmb();
        handshake.ownDoorbell = Linux.eventfd();
        int doorbell = handshake.ownDoorbell < 0 ? handshake.ownDoorbell : Linux.duplicate(handshake.ownDoorbell);
        if (doorbell < 0) {
            Linux.close(registered.descriptor());
            throw DmbException.noDoorbell(doorbell);
        }
        return new int[] {registered.descriptor(), doorbell};
    }

    private int dmbSize() {
        return Dmb.sizeOf(Dmb.sizeCode(sideband.sysctl.number(Tunable.RMEM)));
    }

    private ClcAcceptConfirmD answer(ClcType type, Handshake handshake, Eid eid) {
        Link link = handshake.link;
        FirstContactExtension firstContact = link.established ? null
                : FirstContactExtension.smcd(HOSTNAME, 1);
        if (link.linkGroup == 0) {
            link.linkGroup = nextLinkGroup;
            nextLinkGroup += 0x100;
        }
        link.eid = eid;
        return ClcAcceptConfirmD.smcdV2(type, gid, device.chid(), eid, handshake.ownDmb.token(),
                Dmb.sizeCode(handshake.ownDmb.size()), link.linkGroup, firstContact);
    }

    private static final Hostname HOSTNAME = Hostname.of("smc4j");

    /** We end a handshake that the peer knows of. */
    private void giveUp(Handshake handshake, ReasonCode reason) {
        decline(handshake.link, handshake.id, handshake.tuple, reason);
        end(handshake, reason.number());
    }

    private void decline(Link link, long id, FourTuple tuple, ReasonCode reason) {
        sideband.send(link, new Envelope(Envelope.Type.DECLINE, id, tuple, ClcCodec.encode(ClcDecline.v2(reason))));
    }

    /** Forgets a handshake; the connection is TCP unless it is attached. */
    private void end(Handshake handshake, int reason) {
        if (handshake.ended) {
            // By the end of the link, on which we failed to say that this is the end.
            return;
        }
        handshake.ended = true;
        handshake.dispose();
        open.remove(handshake);
        waiting.remove(handshake);
        handshake.link.proposed.remove(handshake.id, handshake);
        handshake.link.received.remove(handshake.id, handshake);
        if (handshake.endpoint != null) {
            byEndpoint.remove(handshake.endpoint, handshake);
            if (handshake.state == Handshake.State.CONFIRMED) {
                handshake.endpoint.detach(ReasonCode.PEERDECL.number());
            } else {
                handshake.endpoint.declined(reason);
            }
        }
    }

    // -- Server --

    private void proposed(Link link, Envelope envelope, ClcProposal received) {
        if (link.received.containsKey(envelope.id())) {
            decline(link, envelope.id(), envelope.tuple(), ReasonCode.INTERR);
            return;
        }
        if (!hasRoom(link) || open.size() >= LIMITED_HANDSHAKES && sideband.limitsHandshakes(envelope.tuple())) {
            decline(link, envelope.id(), envelope.tuple(), ReasonCode.PEERNOSMC);
            return;
        }
        ReasonCode refusal = refusal(received, envelope.tuple());
        if (refusal != null) {
            Endpoint endpoint = find(envelope.tuple());
            if (endpoint != null) {
                endpoint.declined(refusal.number());
            }
            decline(link, envelope.id(), envelope.tuple(), refusal);
            return;
        }
        Handshake handshake = new Handshake(link, envelope.id(), envelope.tuple(), null, Handshake.State.WAITING, deadline());
        handshake.eid = commonEid(received);
        open.add(handshake);
        link.received.put(handshake.id, handshake);
        if (!tryAccept(handshake)) {
            waiting.add(handshake);
        }
    }

    /** If there is none, the link that has most Proposals waiting gives way: no peer can keep the others out. */
    private boolean hasRoom(Link link) {
        if (open.size() < sideband.sysctl.number(Tunable.PENDING_HANDSHAKES)) {
            return true;
        }
        Handshake oldest = null;
        for (Handshake each : waiting) {
            if (oldest == null || each.link.received.size() > oldest.link.received.size()) {
                oldest = each;
            }
        }
        if (oldest == null || oldest.link.received.size() <= link.received.size() + 1) {
            return false;
        }
        giveUp(oldest, ReasonCode.PEERNOSMC);
        return true;
    }

    /** What a Proposal for such a connection would be declined with, or null. */
    private ReasonCode refusal(ClcProposal received, FourTuple tuple) {
        if (!sideband.sysctl.flag(Tunable.ENABLED)
                || !sideband.sysctl.rules(Tunable.ACCEPT).allows(tuple.client(), tuple.serverPort())) {
            return ReasonCode.CNFERR;
        }
        if (received.v2Extension() == null) {
            return ReasonCode.NOV2EXT;
        }
        if (received.v2Extension().smcd() == null) {
            return ReasonCode.NOV2DEXT;
        }
        if (!received.v2Extension().smcd().devices().contains(new IsmDevice(gid, device.chid()))) {
            return ReasonCode.NOSMCD2DEV;
        }
        return commonEid(received) == null ? ReasonCode.NOSMCDDEV : null;
    }

    private Eid commonEid(ClcProposal received) {
        for (Eid eid : received.v2Extension().ueids()) {
            if (ueids.contains(eid)) {
                return eid;
            }
        }
        return null;
    }

    private Endpoint find(FourTuple tuple) {
        Endpoint endpoint = known(tuple);
        return endpoint != null && tuple.matches(SocketAddresses.local(endpoint.descriptor()),
                SocketAddresses.remote(endpoint.descriptor()))
                // Closed meanwhile, its descriptor may be that of the next connection with the same addresses.
                && known(tuple) == endpoint ? endpoint : null;
    }

    private Endpoint known(FourTuple tuple) {
        return sideband.directory.accepted(tuple.clientAddress(), tuple.clientPort(), tuple.serverPort());
    }

    /** Answers a Proposal if its TCP connection has been accepted; false to wait. */
    private boolean tryAccept(Handshake waitingHandshake) {
        Endpoint endpoint = find(waitingHandshake.tuple);
        if (endpoint == null) {
            return false;
        }
        end(waitingHandshake, 0);
        Handshake handshake = new Handshake(waitingHandshake.link, waitingHandshake.id, waitingHandshake.tuple, endpoint,
                Handshake.State.ACCEPTED, deadline());
        handshake.eid = waitingHandshake.eid;
        if (!endpoint.isSwitchable() || byEndpoint.putIfAbsent(endpoint, handshake) != null) {
            decline(handshake.link, handshake.id, handshake.tuple, ReasonCode.INTERR);
            return true;
        }
        endpoint.handshaking();
        open.add(handshake);
        handshake.link.received.put(handshake.id, handshake);
        try {
            handshake.arena = Arena.ofShared();
            int[] offered = offer(handshake);
            byte[] accept = ClcCodec.encode(answer(ClcType.ACCEPT, handshake, handshake.eid));
            sideband.send(handshake.link, new Envelope(Envelope.Type.ACCEPT, handshake.id, handshake.tuple, accept), offered);
        } catch (DmbException e) {
            Log.debug(handshake.tuple + ": " + e.getMessage());
            giveUp(handshake, ReasonCode.MEM);
        }
        return true;
    }

    void retryWaiting() {
        for (Handshake handshake : List.copyOf(waiting)) {
            if (waiting.contains(handshake)) {
                tryAccept(handshake);
            }
        }
    }

    private void confirmed(Handshake handshake, ClcAcceptConfirmD confirm, UnixSocket.Message message) {
        try {
            Dmb peerDmb = device.attachDmb(confirm.dmbToken(), Dmb.sizeOf(confirm.sizeCode()), message.descriptors()[0],
                    handshake.arena);
            Doorbell.check(message.descriptors()[1]);
            SmcStream stream = stream(handshake, peerDmb, message);
            if (!handshake.endpoint.attach(stream)) {
                stream.close();
                stream.release();
                giveUp(handshake, ReasonCode.INTERR);
                return;
            }
            Link link = handshake.link;
            link.attached.add(handshake.endpoint);
            link.established = true;
            link.received.remove(handshake.id);
            open.remove(handshake);
            byEndpoint.remove(handshake.endpoint);
            sideband.send(link, new Envelope(Envelope.Type.READY, handshake.id, handshake.tuple, new byte[0]));
            handshake.endpoint.ready();
        } catch (DmbException e) {
            Log.debug(handshake.tuple + ": " + e.getMessage());
            message.closeDescriptors();
            giveUp(handshake, ReasonCode.MEM);
        }
    }

    // -- Messages --

    /** @return true if the descriptors of the message were taken */
    boolean handle(Link link, Envelope envelope, UnixSocket.Message message) throws Envelope.MalformedException {
        Envelope.Type type = envelope.type();
        if (message.descriptors().length != type.descriptors || message.truncated()) {
            // As it is when this process has no descriptor left: the handshake fails, the link lives.
            Log.debug(link + ": " + type + " came without its descriptors");
            abandon(link, envelope);
            return false;
        }
        switch (type) {
            case PROPOSAL -> {
                if (decode(envelope) instanceof ClcProposal received) {
                    proposed(link, envelope, received);
                    return false;
                }
            }
            case CHECK -> {
                if (decode(envelope) instanceof ClcProposal received) {
                    check(link, envelope, received);
                    return false;
                }
            }
            case ACCEPT -> {
                Handshake handshake = link.proposed.get(envelope.id());
                ClcAcceptConfirmD accept = answer(envelope, ClcType.ACCEPT);
                if (handshake == null || handshake.state != Handshake.State.PROPOSED) {
                    // Given up meanwhile; the peer still holds a DMB for it.
                    decline(link, envelope.id(), envelope.tuple(), ReasonCode.INTERR);
                    return false;
                }
                accepted(handshake, accept, message);
                return true;
            }
            case CONFIRM -> {
                Handshake handshake = link.received.get(envelope.id());
                ClcAcceptConfirmD confirm = answer(envelope, ClcType.CONFIRM);
                if (handshake == null || handshake.state != Handshake.State.ACCEPTED) {
                    decline(link, envelope.id(), envelope.tuple(), ReasonCode.INTERR);
                    return false;
                }
                confirmed(handshake, confirm, message);
                return true;
            }
            case READY -> {
                Handshake handshake = link.proposed.get(envelope.id());
                if (handshake != null && handshake.state == Handshake.State.CONFIRMED) {
                    forget(handshake.endpoint);
                    link.established = true;
                    handshake.endpoint.ready();
                }
                // Else the connection was closed meanwhile.
                return false;
            }
            case DECLINE -> {
                if (decode(envelope) instanceof ClcDecline decline) {
                    declined(link, envelope, decline);
                    return false;
                }
            }
            default -> {
            }
        }
        throw new Envelope.MalformedException(type + " out of place");
    }

    private void declined(Link link, Envelope envelope, ClcDecline decline) {
        Handshake handshake = link.proposed.get(envelope.id());
        if (handshake == null) {
            handshake = link.received.get(envelope.id());
        }
        if (handshake != null) {
            Log.debug(handshake.tuple + ": declined with 0x" + Integer.toHexString(decline.diagnosis()));
            end(handshake, ReasonCode.PEERDECL.number());
        }
    }

    private void abandon(Link link, Envelope envelope) {
        Handshake handshake = envelope.type() == Envelope.Type.ACCEPT ? link.proposed.get(envelope.id())
                : link.received.get(envelope.id());
        if (handshake != null && handshake.state != Handshake.State.CONFIRMED) {
            giveUp(handshake, ReasonCode.MEM);
        } else {
            decline(link, envelope.id(), envelope.tuple(), ReasonCode.MEM);
        }
    }

    private void check(Link link, Envelope envelope, ClcProposal received) {
        ReasonCode refusal = refusal(received, envelope.tuple());
        if (refusal == null) {
            sideband.send(link, new Envelope(Envelope.Type.READY, envelope.id(), envelope.tuple(), new byte[0]));
        } else {
            decline(link, envelope.id(), envelope.tuple(), refusal);
        }
    }

    private static ClcMessage decode(Envelope envelope) throws Envelope.MalformedException {
        try {
            return ClcCodec.decode(envelope.payload(), 0, envelope.payload().length);
        } catch (ClcException e) {
            throw new Envelope.MalformedException(e.getMessage());
        }
    }

    private ClcAcceptConfirmD answer(Envelope envelope, ClcType expected) throws Envelope.MalformedException {
        if (decode(envelope) instanceof ClcAcceptConfirmD answer && answer.type() == expected && answer.v2() != null
                && answer.v2().chid() == device.chid() && answer.gid128().equals(gid) && ueids.contains(answer.v2().eid())
                && Dmb.isSizeCode(answer.sizeCode())) {
            return answer;
        }
        throw new Envelope.MalformedException(expected + " that does not fit what was proposed");
    }

    // -- For diagnosis --

    /** The link groups of SMC-D, which are the sideband's links on which a handshake has got so far, and their device. */
    LinkGroupReport report(Collection<Link> links) {
        List<LinkGroupStatus> groups = new ArrayList<>();
        long dmbBytes = Dmb.length(dmbSize());
        for (Link link : links) {
            if (link.linkGroup != 0) {
                int connections = link.attached.size();
                // What is sent is written into the DMB of the peer.
                groups.add(new LinkGroupStatus(SmcMode.SMCD, link.linkGroup, "", "", ClcMessage.VERSION_2, ClcMessage.RELEASE_1, "", 0,
                        connections, 0, 0, "pid " + link.peer.pid(), link.eid.toString(), 0, 0, 0, connections, connections,
                        connections * dmbBytes));
            }
        }
        DeviceStatus ism = new DeviceStatus(SmcMode.SMCD, "", EmulatedIsm.NAME, 0, true, false, "", groups.size(), 0, Gids.text(gid));
        return new LinkGroupReport(groups, List.of(), List.of(ism));
    }

    // -- Ends --

    void expire(long now) {
        if (open.isEmpty()) {
            return;
        }
        List<Handshake> expired = new ArrayList<>();
        Iterator<Handshake> all = open.iterator();
        while (all.hasNext()) {
            Handshake handshake = all.next();
            if (now - handshake.deadline >= 0) {
                expired.add(handshake);
            }
        }
        for (Handshake handshake : expired) {
            giveUp(handshake, ReasonCode.TIMEOUT_CL);
            proposeNext(handshake.link);
        }
    }

    void linkEnded(Link link) {
        for (Endpoint endpoint : link.backlog) {
            endpoint.declined(ReasonCode.PEERNOSMC.number());
        }
        link.backlog.clear();
        List<Handshake> ended = new ArrayList<>(link.proposed.values());
        ended.addAll(link.received.values());
        for (Handshake handshake : ended) {
            end(handshake, ReasonCode.PEERNOSMC.number());
        }
        for (Endpoint endpoint : link.attached) {
            endpoint.peerDied();
        }
        link.attached.clear();
    }

    /** The connection was closed before the end of its handshake: neither end has to wait for that. */
    void cancel(Endpoint endpoint) {
        Handshake handshake = byEndpoint.get(endpoint);
        if (handshake != null && handshake.state != Handshake.State.CONFIRMED) {
            giveUp(handshake, ReasonCode.INTERR);
            proposeNext(handshake.link);
        }
    }

    /** Nothing is left to do for the handshake of an attached connection; when it was closed, its peer may never say READY. */
    void forget(Endpoint endpoint) {
        Handshake handshake = byEndpoint.remove(endpoint);
        if (handshake != null) {
            handshake.link.proposed.remove(handshake.id);
        }
    }
}
