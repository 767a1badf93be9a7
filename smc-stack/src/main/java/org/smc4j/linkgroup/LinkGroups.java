package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Gid;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceException;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;
import org.smc4j.time.Scheduler;

/**
 * All link groups of this system: finds or makes the one for a connection, and tells them what happens to devices and ports. On
 * one server the handshakes of SMC-R come one after the other, and those of SMC-D up to the Accept (spec/10-clc.md §11): a group
 * is found only after its first contact is over.
 */
public final class LinkGroups {
    private final Scheduler scheduler;
    private final LinkPorts ports;
    private final LinkTransport.Factory transports;
    private final LinkGroupSettings settings;
    private final Identifiers identifiers;
    /** Those that can be found, in the order in which they were made. */
    private final List<LinkGroup> listed = new ArrayList<>();
    /** Those that are not yet freed. */
    private final Set<LinkGroup> alive = new LinkedHashSet<>();
    /** Open queue pairs by device. */
    private final Map<String, Integer> transportCounts = new HashMap<>();
    private final List<Waiter> waiters = new ArrayList<>();

    /** Somebody who waits until something is gone. */
    private record Waiter(BooleanSupplier condition, Runnable action) {
    }

    /**
     * @param random         for what a peer should not guess
     * @param systemInstance first 16 bits of the system id; no other process with the same ports has them
     */
    public LinkGroups(Scheduler scheduler, LinkPorts ports, LinkTransport.Factory transports, LinkGroupSettings settings,
                      RandomGenerator random, int systemInstance) {
        this(scheduler, ports, transports, settings, new Identifiers(random, systemInstance));
    }

    LinkGroups(Scheduler scheduler, LinkPorts ports, LinkTransport.Factory transports, LinkGroupSettings settings,
               Identifiers identifiers) {
        this.scheduler = scheduler;
        this.ports = ports;
        this.transports = transports;
        this.settings = settings;
        this.identifiers = identifiers;
    }

    /**
     * Server: a place in an existing group, or in a new one, which then begins with this connection.
     *
     * @throws LinkGroupException the reason for the Decline
     */
    public SmcrMembership serverJoin(SmcrRequest request, GroupMember member) throws LinkGroupException {
        for (LinkGroup group : listed) {
            if (group instanceof SmcrLinkGroup candidate && candidate.matches(Role.SERVER, request)
                    && candidate.leadsTo(request) && candidate.hasRoom()) {
                return join(candidate, request, member, linkFor(candidate));
            }
        }
        return new SmcrLinkGroup(this, Role.SERVER, request).joinFirst(request, member);
    }

    /**
     * Client, if the Accept says first contact: a place in a new group, whose first link is ready to receive.
     *
     * @throws LinkGroupException the reason for the Decline
     */
    public SmcrMembership clientFirstContact(SmcrRequest request, PeerQueuePair peer, Rtoken peerRmb, GroupMember member)
            throws LinkGroupException {
        SmcrMembership membership = new SmcrLinkGroup(this, Role.CLIENT, request).joinFirst(request, member);
        try {
            membership.link().connect(peer);
            membership.peerRmb(peerRmb);
        } catch (RoceException e) {
            membership.leave();
            throw new LinkGroupException(ReasonCode.ERR_RDYLNK, e.getMessage());
        } catch (LinkGroupException e) {
            membership.leave();
            throw e;
        }
        return membership;
    }

    /**
     * Client, if the Accept says that the group exists: a place in it, on the link that the Accept names. If the first contact of
     * the group is not over, {@link SmcrMembership#confirmRkey} waits for it.
     *
     * @throws LinkGroupException the reason for the Decline; {@link ReasonCode#SYNCERR}, with the out-of-sync bit, if there is no
     *                            such group, and {@link ReasonCode#NOSRVLINK}, which leaves the group alone, if only the link is
     *                            lost: the server is being told of that, or will find it out
     */
    public SmcrMembership clientJoin(SmcrRequest request, PeerQueuePair peer, Rtoken peerRmb, GroupMember member)
            throws LinkGroupException {
        boolean known = false;
        for (LinkGroup group : listed) {
            if (group instanceof SmcrLinkGroup candidate && candidate.matches(Role.CLIENT, request)) {
                Link link = candidate.linkTo(request, peer);
                if (link != null) {
                    return join(candidate, request, peerRmb, member, link);
                }
                known |= candidate.hadLinkTo(request, peer);
            }
        }
        throw known ? new LinkGroupException(ReasonCode.NOSRVLINK, "the link that the server names is lost")
                : new LinkGroupException(ReasonCode.SYNCERR, "no link group that leads to the peer's queue pair");
    }

    private static SmcrMembership join(SmcrLinkGroup group, SmcrRequest request, Rtoken peerRmb, GroupMember member, Link link)
            throws LinkGroupException {
        SmcrMembership membership = group.join(request, member, link);
        try {
            membership.peerRmb(peerRmb);
        } catch (LinkGroupException e) {
            membership.leave();
            throw e;
        }
        return membership;
    }

    private static Link linkFor(SmcrLinkGroup group) {
        return group.slots().forConnection(group.role(), group.connectionCount());
    }

    private static SmcrMembership join(SmcrLinkGroup group, SmcrRequest request, GroupMember member, Link link)
            throws LinkGroupException {
        if (link == null) {
            throw new LinkGroupException(ReasonCode.NOACTLINK, "only asymmetric links");
        }
        return group.join(request, member, link);
    }

    /** A place in the group of SMC-D that leads to this peer; null if there is none. */
    public Membership smcdJoin(SmcdRequest request, GroupMember member) {
        for (LinkGroup group : listed) {
            if (group instanceof SmcdLinkGroup candidate && candidate.matches(request)) {
                return candidate.join(member);
            }
        }
        return null;
    }

    /** A place in a new group of SMC-D: on the server if there is none, on the client if the Accept says first contact. */
    public Membership smcdFirstContact(SmcdRequest request, SmcdLinkGroup.ShutdownSignal signal, GroupMember member) {
        return new SmcdLinkGroup(this, request, signal).join(member);
    }

    /** The device says that a peer has ended its groups (spec/40-buffers-linkgroups.md §6). */
    public void smcdPeerShutdown(String device, Gid peerGid, int vlan, int reason) {
        for (LinkGroup group : groups()) {
            if (group instanceof SmcdLinkGroup candidate && candidate.isMeant(device, peerGid, vlan)) {
                candidate.peerShutdown(reason);
            }
        }
    }

    /** Those that can be found, in the order in which they were made. */
    public List<LinkGroup> groups() {
        return List.copyOf(listed);
    }

    /** The groups of SMC-R that are not yet freed, and their links; those that have ended have no more than their connections. */
    public LinkGroupReport report() {
        List<LinkGroupStatus> groups = new ArrayList<>();
        List<LinkStatus> links = new ArrayList<>();
        for (LinkGroup group : alive) {
            if (group instanceof SmcrLinkGroup smcr) {
                groups.add(smcr.status());
                for (Link link : smcr.links()) {
                    links.add(link.status());
                }
            }
        }
        return new LinkGroupReport(groups, links, List.of());
    }

    /** This system as an SMC-R peer; {@link SystemId#NONE} as long as no port was active. */
    public SystemId systemId() {
        return identifiers.systemId();
    }

    /** A port has become active, or was when it was found: groups of its PNETID that can have another link may want it. */
    public void portActive(RnicPort port) {
        identifiers.portActive(port.mac());
        for (SmcrLinkGroup group : smcrGroups()) {
            Link link = group.slots().anySendable();
            Log.info(group + ": " + port.device() + " port " + port.number() + " is active, links are " + group.type());
            if (group.wantsLink() && link != null && !port.pnetId().isEmpty() && group.pnetId().equals(port.pnetId())) {
                group.flows().wishForLink(link);
            }
        }
    }

    /** A port does not work any more, nor do the links on it. Also for fatal events of a queue pair, which name its port. */
    public void portLost(String device, int number) {
        loseLinks(port -> port.is(device, number));
    }

    /** The GIDs of a port have changed: if one that is in use is not there any more, the port is as good as lost. */
    public void gidsChanged(String device, int number, Collection<Gid> present) {
        for (SmcrLinkGroup group : smcrGroups()) {
            for (Link link : group.links()) {
                if (link.port().is(device, number) && !present.contains(link.port().gid())) {
                    portLost(device, number);
                    return;
                }
            }
        }
    }

    /** A device is about to go: {@code gone} runs when no link uses it any more. */
    public void deviceLost(String device, Runnable gone) {
        loseLinks(port -> port.device().equals(device));
        when(() -> !transportCounts.containsKey(device), gone);
    }

    private void loseLinks(Predicate<RnicPort> condition) {
        for (SmcrLinkGroup group : smcrGroups()) {
            for (Link link : group.links()) {
                if (condition.test(link.port())) {
                    group.failover().lost(link, true);
                }
            }
        }
    }

    /** Ends all groups; {@code gone} runs when they are freed. Connections that do not leave keep theirs. */
    public void terminateAll(int reason, Runnable gone) {
        for (LinkGroup group : groups()) {
            group.terminate(reason);
        }
        when(alive::isEmpty, gone);
    }

    private void when(BooleanSupplier condition, Runnable action) {
        waiters.add(new Waiter(condition, action));
        somethingIsGone();
    }

    private void somethingIsGone() {
        for (Waiter waiter : List.copyOf(waiters)) {
            if (waiter.condition().getAsBoolean() && waiters.remove(waiter)) {
                waiter.action().run();
            }
        }
    }

    private List<SmcrLinkGroup> smcrGroups() {
        List<SmcrLinkGroup> groups = new ArrayList<>();
        for (LinkGroup group : listed) {
            if (group instanceof SmcrLinkGroup smcr) {
                groups.add(smcr);
            }
        }
        return groups;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    LinkPorts ports() {
        return ports;
    }

    LinkTransport.Factory transports() {
        return transports;
    }

    LinkGroupSettings settings() {
        return settings;
    }

    Identifiers identifiers() {
        return identifiers;
    }

    void list(LinkGroup group) {
        listed.add(group);
        alive.add(group);
    }

    void unlist(LinkGroup group) {
        listed.remove(group);
    }

    void freed(LinkGroup group) {
        alive.remove(group);
        somethingIsGone();
    }

    void transportOpened(RnicPort port) {
        transportCounts.merge(port.device(), 1, Integer::sum);
    }

    void transportClosed(RnicPort port) {
        transportCounts.merge(port.device(), -1, (count, minusOne) -> count == 1 ? null : count + minusOne);
        somethingIsGone();
    }
}
