package org.smc4j.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.Gid;
import org.smc4j.clc.SystemId;
import org.smc4j.connection.WorkQueues;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.linkgroup.LinkGroupException;
import org.smc4j.linkgroup.LinkGroupSettings;
import org.smc4j.linkgroup.LinkGroups;
import org.smc4j.linkgroup.Outcome;
import org.smc4j.linkgroup.SmcrMembership;
import org.smc4j.linkgroup.SmcrRequest;
import org.smc4j.linkgroup.SmcrTerms;
import org.smc4j.negotiation.Choice;
import org.smc4j.negotiation.DeviceRegistry;
import org.smc4j.negotiation.HandshakeResources;
import org.smc4j.negotiation.LocalIsm;
import org.smc4j.negotiation.LocalPort;
import org.smc4j.negotiation.PnetTable;
import org.smc4j.negotiation.SmcrChoice;
import org.smc4j.negotiation.Terms;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceException;
import org.smc4j.status.DeviceStatus;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;
import org.smc4j.time.Scheduler;

/**
 * SMC-R on this host: its RNICs, whose ports are watched from the moment on at which they are added, its link groups, and what
 * handshakes need of both. All methods are called on the scheduler; nothing blocks.
 */
public final class SmcrHost {
    /**
     * @param sendBufferSize    bytes of a connection's send buffer, rounded up to 16 KiB times a power of two
     * @param receiveBufferSize bytes of its RMB, likewise
     * @param autocorkingSize   {@code net.smc.autocorking_size}
     * @param controlSlots      {@code net.smc.smcr_max_send_wr}, 2 to 2048
     * @param receiveBuffers    {@code net.smc.smcr_max_recv_wr}, 2 to 2048
     * @param systemInstance    first 16 bits of the system id; no other process with the same ports has them
     * @param beginsOnTcp       whether connections begin as TCP and are switched at an offset of their own
     * @param overflows         whether more than the RMB holds is taken in for readers that take nothing; asked each time
     */
    public record Settings(int sendBufferSize, int receiveBufferSize, long autocorkingSize, int controlSlots, int receiveBuffers,
                           int systemInstance, boolean beginsOnTcp, BooleanSupplier overflows) {
    }

    private final Settings settings;
    private final WorkQueues workQueues;
    private final DeviceRegistry registry;
    private final LinkGroups groups;
    private final SmcrConnection.Parts parts;

    public SmcrHost(Scheduler scheduler, PnetTable pnetIds, LinkGroupSettings groupSettings, Settings settings,
                    RandomGenerator random) {
        this.settings = settings;
        workQueues = new WorkQueues(scheduler, settings.controlSlots, settings.receiveBuffers);
        RnicPorts ports = new RnicPorts();
        groups = new LinkGroups(scheduler, ports, workQueues, groupSettings, random, settings.systemInstance);
        registry = new DeviceRegistry(scheduler, pnetIds, new PortWatch());
        ports.registry(registry);
        parts = new SmcrConnection.Parts(workQueues, scheduler, settings.autocorkingSize, settings.beginsOnTcp,
                settings.overflows);
    }

    /** Uses a device from now on; it is not closed here. */
    public void add(RoceDevice device) throws RoceException {
        workQueues.add(device);
        registry.add(device);
    }

    /** Stops using a device: its links are lost, and {@code gone} runs when nothing of it is in use any more. */
    public void remove(String device, Runnable gone) {
        groups.deviceLost(device, () -> {
            workQueues.remove(device);
            gone.run();
        });
        registry.removeRnic(device);
    }

    /** Ports and ISM devices, for what can be offered. */
    public DeviceRegistry devices() {
        return registry;
    }

    public LinkGroups groups() {
        return groups;
    }

    /** Link groups, links and ports of RNICs, as they are at this moment. */
    public LinkGroupReport report() {
        LinkGroupReport report = groups.report();
        List<DeviceStatus> devices = new ArrayList<>();
        for (LocalPort port : registry.ports()) {
            devices.add(status(port, report));
        }
        return report.and(new LinkGroupReport(List.of(), List.of(), devices));
    }

    private static DeviceStatus status(LocalPort port, LinkGroupReport report) {
        Set<Integer> using = new HashSet<>();
        int links = 0;
        for (LinkStatus link : report.links()) {
            if (link.device().equals(port.device()) && link.port() == port.number()) {
                links++;
                using.add(link.group());
            }
        }
        boolean critical = false;
        for (LinkGroupStatus group : report.groups()) {
            critical |= using.contains(group.id()) && (group.type().equals("SINGLE") || group.type().equals("ASYML"));
        }
        Set<String> networks = new LinkedHashSet<>();
        List<String> gids = new ArrayList<>();
        for (GidEntry entry : port.port().gids()) {
            networks.add(entry.networkName());
            gids.add(Gids.text(entry.gid()));
        }
        return new DeviceStatus(SmcMode.SMCR, String.join(",", networks), port.device(), port.number(), port.isActive(), critical,
                port.pnetId().text(), using.size(), links, String.join(",", gids));
    }

    public SystemId systemId() {
        return groups.systemId();
    }

    /** What the handshake of one connection needs of link groups; its reservation is an {@link SmcrConnection}. */
    public HandshakeResources resources(SmcrConnection.Owner owner) {
        return new HandshakeResources() {
            @Override
            public void offer(Choice candidate, Receiver receiver) {
                SmcrConnection connection = new SmcrConnection(parts, owner);
                try {
                    connection.place(groups.serverJoin(request((SmcrChoice) candidate), connection));
                } catch (LinkGroupException e) {
                    receiver.failed(e.reason());
                    return;
                }
                reserved(connection, receiver);
            }

            @Override
            public void join(Choice choice, ClcAcceptConfirm accept, Receiver receiver) {
                SmcrConnection connection = new SmcrConnection(parts, owner);
                ClcAcceptConfirmR peer = (ClcAcceptConfirmR) accept;
                try {
                    connection.place(place((SmcrChoice) choice, peer, connection));
                } catch (LinkGroupException e) {
                    receiver.failed(e.reason());
                    return;
                }
                connection.begin(peer);
                reserved(connection, receiver);
            }
        };
    }

    private SmcrMembership place(SmcrChoice choice, ClcAcceptConfirmR accept, SmcrConnection connection) throws LinkGroupException {
        SmcrRequest request = request(choice);
        return accept.firstContact()
                ? groups.clientFirstContact(request, SmcrConnection.queuePair(accept), SmcrConnection.rmb(accept), connection)
                : groups.clientJoin(request, SmcrConnection.queuePair(accept), SmcrConnection.rmb(accept), connection);
    }

    /** In a group that existed before, the peer has to know of the RMB first. */
    private static void reserved(SmcrConnection connection, HandshakeResources.Receiver receiver) {
        if (connection.isFirstContact()) {
            receiver.reserved(connection);
            return;
        }
        connection.membership().confirmRkey(new Outcome() {
            @Override
            public void succeeded() {
                receiver.reserved(connection);
            }

            @Override
            public void failed(ReasonCode reason) {
                connection.release();
                receiver.failed(reason);
            }
        });
    }

    private SmcrRequest request(SmcrChoice choice) {
        Terms terms = choice.terms();
        return new SmcrRequest(new SmcrTerms(choice.version(), terms.release(), terms.maxConnections(), terms.maxLinks(), choice.eid(),
                choice.gateway()), RnicPorts.port(choice.port().port(), choice.port().entry()), choice.vlan(), choice.anyVlan(),
                choice.peerSystemId(), choice.peerGid(), choice.peerMac(), settings.sendBufferSize, settings.receiveBufferSize);
    }

    /** Tells the link groups what happens to ports. */
    private final class PortWatch implements DeviceRegistry.Listener {
        @Override
        public void portActive(LocalPort port) {
            if (!port.port().gids().isEmpty()) {
                groups.portActive(RnicPorts.port(port, port.port().gids().getFirst()));
            }
        }

        @Override
        public void portLost(String device, int number) {
            groups.portLost(device, number);
        }

        @Override
        public void gidsChanged(LocalPort port) {
            List<Gid> present = new ArrayList<>();
            for (GidEntry entry : port.port().gids()) {
                present.add(entry.gid());
            }
            groups.gidsChanged(port.device(), port.number(), present);
            if (port.isActive()) {
                // It may have become active before it had the GID that a link needs.
                portActive(port);
            }
        }

        @Override
        public void rnicRemoved(String device) {
            // Its links were told of it first: see remove.
        }

        @Override
        public void ismRemoved(LocalIsm device) {
            // Groups of SMC-D are not kept here.
        }
    }
}
