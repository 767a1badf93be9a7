package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.time.Scheduler;

/**
 * The link groups of one host as far as handshakes see them: found by the rules of spec/40-buffers-linkgroups.md §4, of one link
 * each, which is up a moment after its first contact.
 */
final class ModelLinkGroups implements HandshakeResources {
    private static final long MOMENT = 1_000_000L;

    private final Scheduler scheduler;
    final List<Group> groups = new ArrayList<>();
    int firstContacts;
    private int lastNumber;

    static final class Group {
        boolean server;
        LocalIsm device;
        PortGid port;
        SystemId peerSystemId;
        Gid peerGid;
        Mac peerMac;
        int version;
        int vlan;
        int localQueuePair;
        int peerQueuePair;
        int maxConnections = Terms.MAX_CONNECTIONS;
        int connections;
        boolean active;
        boolean syncError;
    }

    ModelLinkGroups(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    private static boolean matches(Group group, boolean server, Choice choice) {
        if (group.syncError || !group.peerGid.equals(peerGid(choice))) {
            return false;
        }
        return switch (choice) {
            case SmcdChoice smcd -> group.device != null && group.device.equals(smcd.device())
                    && (smcd.isV2() || group.vlan == smcd.vlan());
            case SmcrChoice smcr -> group.device == null && group.server == server && group.active
                    && group.peerSystemId.equals(smcr.peerSystemId()) && (smcr.isV2() || group.peerMac.equals(smcr.peerMac()))
                    && (smcr.anyVlan() || group.vlan == smcr.vlan());
        };
    }

    private static Gid peerGid(Choice choice) {
        return choice instanceof SmcdChoice smcd ? smcd.peerGid() : ((SmcrChoice) choice).peerGid();
    }

    @Override
    public void offer(Choice candidate, Receiver receiver) {
        for (Group group : groups) {
            boolean room = candidate instanceof SmcdChoice || group.connections < group.maxConnections;
            if (matches(group, true, candidate) && room) {
                receiver.reserved(new Place(group, candidate, false));
                return;
            }
        }
        receiver.reserved(new Place(create(true, candidate), candidate, true));
    }

    @Override
    public void join(Choice choice, ClcAcceptConfirm accept, Receiver receiver) {
        if (accept.firstContact()) {
            Group group = create(false, choice);
            group.peerQueuePair = accept instanceof ClcAcceptConfirmR answer ? answer.qpNumber() : 0;
            receiver.reserved(new Place(group, choice, true));
            return;
        }
        for (Group group : groups) {
            if (matches(group, false, choice)
                    && (!(accept instanceof ClcAcceptConfirmR answer) || answer.qpNumber() == group.peerQueuePair)) {
                receiver.reserved(new Place(group, choice, false));
                return;
            }
        }
        receiver.failed(ReasonCode.SYNCERR);
    }

    private Group create(boolean server, Choice choice) {
        firstContacts++;
        Group group = new Group();
        group.server = server;
        group.peerGid = peerGid(choice);
        group.localQueuePair = ++lastNumber;
        group.version = choice.version();
        switch (choice) {
            case SmcdChoice smcd -> {
                group.device = smcd.device();
                group.vlan = smcd.vlan();
                group.active = true;
            }
            case SmcrChoice smcr -> {
                group.port = smcr.port();
                group.peerSystemId = smcr.peerSystemId();
                group.peerMac = smcr.peerMac();
                group.vlan = smcr.vlan();
            }
        }
        groups.add(group);
        return group;
    }

    private final class Place implements Reservation {
        private final Group group;
        private final boolean firstContact;
        private final LocalEnd end;

        Place(Group group, Choice choice, boolean firstContact) {
            this.group = group;
            this.firstContact = firstContact;
            group.connections++;
            end = choice instanceof SmcdChoice ? new LocalEnd.Smcd(++lastNumber, 0, 2, 0x100)
                    : new LocalEnd.Smcr(group.port.gid(), group.port.mac(), group.localQueuePair, ++lastNumber, 1, lastNumber, 2,
                            Host.MTU_4096, 0x1000, 7);
        }

        @Override
        public LocalEnd localEnd() {
            return end;
        }

        @Override
        public boolean isFirstContact() {
            return firstContact;
        }

        @Override
        public void complete(Choice choice, ClcAcceptConfirm confirm, Completion completion) {
            if (firstContact) {
                group.maxConnections = choice.terms().maxConnections();
            }
            scheduler.schedule(firstContact ? MOMENT : 0, () -> {
                group.active = true;
                completion.completed();
            });
        }

        @Override
        public void awaitFirstLink(FirstLink firstLink) {
            scheduler.schedule(MOMENT, () -> {
                group.active = true;
                firstLink.ready();
            });
        }

        @Override
        public void outOfSync() {
            group.syncError = true;
        }

        @Override
        public void release() {
            group.connections--;
            if (firstContact || group.syncError) {
                groups.remove(group);
            }
        }
    }
}
