package org.smc4j.negotiation;

import java.util.ArrayDeque;
import java.util.Queue;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IsmDevice;
import org.smc4j.clc.IsmEntry;
import org.smc4j.diag.ReasonCode;

/**
 * A server's candidates for a connection, one after the other in the order of spec/10-clc.md §9, until one works. Of all reasons
 * why something did not work the first counts.
 */
final class ServerSelection {
    private enum Stage { SMCD_V2, NETWORK, SMCD_V1, SMCR_OFFERED, SMCR_V2, SMCR_V1, END }

    private static final Stage[] STAGES = Stage.values();

    private final LocalAbilities abilities;
    private final ConnectionFacts connection;
    private final Usable usable;
    private final ClcProposal proposal;
    private final Queue<Choice> candidates = new ArrayDeque<>();
    private Stage stage = Stage.SMCD_V2;
    private ReasonCode reason;
    private boolean otherSubnet;

    ServerSelection(LocalAbilities abilities, ConnectionFacts connection, Usable usable) {
        this.abilities = abilities;
        this.connection = connection;
        this.usable = usable;
        this.proposal = usable.proposal();
    }

    /**
     * The next candidate to try.
     *
     * @throws DeclineException if there is none any more
     */
    Choice next() throws DeclineException {
        while (candidates.isEmpty()) {
            Stage now = stage;
            stage = STAGES[Math.min(now.ordinal() + 1, Stage.END.ordinal())];
            run(now);
        }
        return candidates.remove();
    }

    /** The candidate before did not work: no link group, no buffers. */
    void failed(ReasonCode why) {
        if (reason == null) {
            reason = why;
        }
    }

    private void run(Stage now) throws DeclineException {
        switch (now) {
            case SMCD_V2 -> smcdV2();
            case NETWORK -> network();
            case SMCD_V1 -> smcdV1();
            case SMCR_OFFERED -> {
                if (!proposal.v1().includesR() && !proposal.v2().includesR()) {
                    throw new DeclineException(reason == null ? ReasonCode.NOSMCDDEV : reason);
                }
            }
            case SMCR_V2 -> smcrV2();
            case SMCR_V1 -> smcrV1();
            case END -> throw new DeclineException(otherSubnet ? ReasonCode.DIFFPREFIX : reason);
        }
    }

    private void smcdV2() {
        if (!usable.smcdV2()) {
            return;
        }
        Queue<SmcdChoice> found = new ArrayDeque<>();
        Eid eid = abilities.eids().match(proposal.v2Extension());
        IsmEntry anchor = proposal.ismV1();
        if (anchor.chid() != 0) {
            addCandidate(found, new IsmDevice(new Gid(anchor.gid(), 0), anchor.chid()), eid);
        }
        for (IsmDevice offered : proposal.v2Extension().smcd().devices()) {
            addCandidate(found, offered, eid);
        }
        if (found.isEmpty()) {
            failed(ReasonCode.NOSMCD2DEV);
        } else if (eid != null) {
            candidates.addAll(found);
        }
    }

    private void addCandidate(Queue<SmcdChoice> found, IsmDevice offered, Eid eid) {
        for (LocalIsm device : abilities.ismDevices()) {
            if (device.chid() == offered.chid() && device.reaches(offered.gid())) {
                found.add(new SmcdChoice(ClcMessage.VERSION_2, device, offered.gid(), eid, 0, usable.terms()));
                return;
            }
        }
    }

    /** Subnets and VLAN of the connection, on which all that follows depends. */
    private void network() throws DeclineException {
        otherSubnet = proposal.ipArea() != null && !IpAreas.match(proposal.ipArea(), connection.localInterface());
        if (otherSubnet) {
            failed(ReasonCode.DIFFPREFIX);
        }
        if (connection.localInterface() == null) {
            failed(ReasonCode.GETVLANERR);
            throw new DeclineException(reason);
        }
    }

    private void smcdV1() {
        if (!usable.smcdV1() || otherSubnet) {
            return;
        }
        LocalIsm device = proposal.ismV1() == null || !abilities.has(Technology.SMCD_V1) ? null
                : ismInNetwork(new Gid(proposal.ismV1().gid(), 0));
        if (device == null) {
            failed(ReasonCode.NOSMCDDEV);
        } else {
            candidates.add(new SmcdChoice(ClcMessage.VERSION_1, device, new Gid(proposal.ismV1().gid(), 0), null,
                    connection.vlan(), Terms.DEFAULT));
        }
    }

    private LocalIsm ismInNetwork(Gid peer) {
        for (LocalIsm device : abilities.ismDevices()) {
            if (connection.pnetId().isSet() && device.pnetId().equals(connection.pnetId()) && device.isUsableWithV1()
                    && device.reachability().reaches(peer, connection.vlan())) {
                return device;
            }
        }
        return null;
    }

    private void smcrV2() {
        Eid eid = usable.smcrV2() ? abilities.eids().matchUeid(proposal.v2Extension()) : null;
        if (eid == null) {
            return;
        }
        Gid peer = proposal.v2Extension().roceGid();
        Routes.Route route = connection.routes().find(connection.localIpv4(), Ipv4Math.of(peer));
        PortGid port = abilities.has(Technology.SMCR_V2) ? PortChoice.v2(abilities, connection) : null;
        if (port == null || route instanceof Routes.Unreachable) {
            failed(ReasonCode.NOSMCRDEV);
            return;
        }
        // A Linux client that offers no SMC-R v1 leaves its system id and MAC out; then the peer is known by its GID alone.
        candidates.add(new SmcrChoice(ClcMessage.VERSION_2, port, proposal.systemId(), peer, proposal.mac(),
                route instanceof Routes.Gateway gateway ? gateway.nextHop() : null, eid, connection.vlan(), false,
                usable.terms()));
    }

    private void smcrV1() {
        if (otherSubnet) {
            return;
        }
        PortGid port = usable.smcrV1() && abilities.has(Technology.SMCR_V1) ? PortChoice.v1(abilities, connection) : null;
        if (port == null) {
            failed(ReasonCode.NOSMCDEV);
        } else {
            candidates.add(new SmcrChoice(ClcMessage.VERSION_1, port, proposal.systemId(), proposal.roceGid(), proposal.mac(),
                    null, null, connection.vlan(), false, Terms.DEFAULT));
        }
    }
}
