package org.smc4j.linkgroup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.smc4j.diag.Log;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.AddLinkContinue;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.ConfirmRkeyContinue;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.DeleteRkey;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RequestAddLink;
import org.smc4j.llc.TestLink;
import org.smc4j.time.Scheduler;

/**
 * Where every LLC message of a link group goes, and which sequence of messages has its turn (spec/20-llc.md §10).
 *
 * <p>The slot here is the kernel's "local" one, of the sequences that take more than one turn. Its "remote" slot, which keeps a
 * local flow out while an rkey of the peer is taken in, needs no field: that is done within one turn. Types of messages that are
 * not known were refused before, by the codec.
 */
final class LlcFlows {
    private final SmcrLinkGroup group;
    private final PeerRkeys peerRkeys;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final List<IdleAction> idleActions = new ArrayList<>();
    private Flow local;
    private LinkRequest delayed;
    /** Links that are to go after those of {@link #delayed} and of the flow in the slot. */
    private final Deque<LinkRequest> deletions = new ArrayDeque<>();
    /** Our side would like another link, and that came at a bad time. */
    private boolean wished;
    /** The client has invited, and that came at a bad time. */
    private boolean invited;
    private boolean closed;

    /** A flow that our side has begun, and that waits for the slot. */
    private record Waiting(Flow flow, Scheduler.Timer timer) {
    }

    /** What is done when the slot is free, or has not become so in time. */
    private record IdleAction(Runnable action, Scheduler.Timer timer) {
    }

    LlcFlows(SmcrLinkGroup group) {
        this.group = group;
        peerRkeys = new PeerRkeys(group);
    }

    /** A message over a usable link. */
    void received(Link link, LlcMessage message) {
        if (closed) {
            return;
        }
        if (message.response()) {
            response(link, message);
        } else {
            request(link, message);
        }
    }

    private void response(Link link, LlcMessage message) {
        switch (message.type()) {
            case TEST_LINK -> link.keepalive().answered();
            case CONFIRM_LINK, ADD_LINK, ADD_LINK_CONTINUE -> deliver(FlowType.ADD_LINK, link, message);
            case DELETE_LINK -> deliver(FlowType.DELETE_LINK, link, message);
            case REQUEST_ADD_LINK -> deliver(FlowType.REQUEST_ADD_LINK, link, message);
            case CONFIRM_RKEY, DELETE_RKEY -> deliver(FlowType.RKEY, link, message);
            case CONFIRM_RKEY_CONTINUE -> {
            }
        }
    }

    private void request(Link link, LlcMessage message) {
        switch (message) {
            case TestLink test -> link.send(test.answer());
            case ConfirmRkey confirm -> link.send(peerRkeys.confirm(link, confirm));
            case DeleteRkey delete -> link.send(peerRkeys.delete(link, delete));
            case ConfirmLink confirm -> deliver(link, confirm);
            case AddLinkContinue more -> deliver(link, more);
            case AddLink add -> addLink(new LinkRequest(FlowType.ADD_LINK, link, add));
            case DeleteLink delete -> deleteLink(new LinkRequest(FlowType.DELETE_LINK, link, delete));
            case RequestAddLink invitation -> invited(link, invitation);
            case ConfirmRkeyContinue more -> {
            }
        }
    }

    /** To the flow in the slot if it is of that type and has no other message yet; else it is too late, or not asked for. */
    private boolean deliver(FlowType type, Link link, LlcMessage message) {
        if (local == null || local.type() != type || local.hasPending()) {
            return false;
        }
        local.deliver(link, message);
        return true;
    }

    private void deliver(Link link, LlcMessage message) {
        if (local != null && !local.hasPending()) {
            local.deliver(link, message);
        }
    }

    /** Our side would like another link: the server offers one, the client asks for an offer. */
    void wishForLink(Link link) {
        if (!closed) {
            addLink(new LinkRequest(FlowType.ADD_LINK, link, null));
        }
    }

    private void addLink(LinkRequest request) {
        if (group.role() == Role.CLIENT) {
            if (request.message() == null && local != null && local.type() == FlowType.ADD_LINK) {
                wished = true;
                return;
            }
            if (request.message() != null && (deliver(FlowType.ADD_LINK, request.link(), request.message())
                    || deliver(FlowType.REQUEST_ADD_LINK, request.link(), request.message()))) {
                return;
            }
        }
        beginOrKeep(request);
    }

    /** A link is to go, by a request of the peer or, on the server, by our own wish. */
    void deleteLink(LinkRequest request) {
        if (!closed && !deliver(FlowType.ADD_LINK, request.link(), request.message())) {
            beginOrKeep(request);
        }
    }

    /**
     * An invitation that comes at a bad time is lost in the kernel, and the group stays without its second link although both ends
     * have a port for it. Here the offer follows later; the client takes it without having to wait for it.
     */
    private void invited(Link link, RequestAddLink invitation) {
        if (group.role() != Role.SERVER) {
            return;
        }
        if (isFree()) {
            begin(new AddLinkServer(group, link, invitation, null));
        } else {
            invited = true;
        }
    }

    private boolean isFree() {
        return local == null && delayed == null && deletions.isEmpty();
    }

    private void beginOrKeep(LinkRequest request) {
        runDelayed();
        if (local == null) {
            begin(flow(request));
        } else {
            keep(request);
        }
    }

    /**
     * Keeps requests for the time after the flow in the slot. The kernel keeps one, unless it is of the kind that is under way, and
     * then the ends do not agree on their links until a TEST LINK is not answered. That another link is wanted is kept in any case:
     * the flow that is under way may not have seen the port that became active meanwhile.
     */
    void keep(LinkRequest request) {
        if (delayed == null && local.type() != request.type()) {
            delayed = request;
        } else if (request.type() == FlowType.DELETE_LINK && deletions.size() < LinkSlots.COUNT) {
            deletions.add(request);
        } else if (request.type() == FlowType.ADD_LINK && request.message() == null) {
            wished = true;
        } else if (request.type() == FlowType.ADD_LINK && group.role() == Role.SERVER) {
            invited = true;
        } else {
            Log.debug(group + ": dropped a parallel " + request.type() + " request");
        }
    }

    private Flow flow(LinkRequest request) {
        if (request.type() == FlowType.DELETE_LINK) {
            DeleteLink message = (DeleteLink) request.message();
            return group.role() == Role.SERVER ? new DeleteLinkServer(group, request.link(), message)
                    : new DeleteLinkClient(group, request.link(), message);
        }
        if (group.role() == Role.SERVER) {
            return new AddLinkServer(group, request.link(), null, null);
        }
        return request.message() == null ? new Invitation(group, request.link())
                : new AddLinkClient(group, request.link(), (AddLink) request.message(), null);
    }

    /** Begins a flow when the slot is free, at once or within 20 s; otherwise it is told that it missed its turn. */
    void start(Flow flow) {
        if (closed) {
            flow.miss(Flow.Miss.GROUP_ENDED);
        } else if (isFree() && waiting.isEmpty()) {
            begin(flow);
        } else {
            waiting.add(new Waiting(flow, group.scheduler().schedule(FlowStep.TURN_NANOS, () -> missedTurn(flow))));
        }
    }

    private void missedTurn(Flow flow) {
        waiting.removeIf(entry -> entry.flow() == flow);
        flow.miss(Flow.Miss.TIMEOUT);
    }

    /** Puts a flow into the free slot. */
    void begin(Flow flow) {
        local = flow;
        flow.begin();
    }

    void ended(Flow flow) {
        if (local == flow) {
            local = null;
        }
        if (!closed) {
            // In a turn of its own, so that whoever hears of this flow's end finds nothing begun.
            group.scheduler().execute(this::next);
        }
    }

    private void next() {
        if (closed) {
            return;
        }
        runDelayed();
        Link lost = local == null ? group.failover().notYetDeleted() : null;
        if (lost != null) {
            begin(new DeleteLinkServer(group, null, group.failover().deleteLink(lost)));
        }
        if (local == null) {
            for (IdleAction idle : List.copyOf(idleActions)) {
                run(idle);
            }
        }
        if (local == null) {
            seeToWishes();
        }
        if (local == null && !waiting.isEmpty()) {
            Waiting first = waiting.poll();
            first.timer().cancel();
            begin(first.flow());
        }
    }

    private void seeToWishes() {
        boolean wanted = wished && group.wantsLink() || invited && group.type() != LinkGroupType.SYMMETRIC;
        Link link = group.slots().anySendable();
        wished = false;
        invited = false;
        if (wanted && link != null) {
            begin(flow(new LinkRequest(FlowType.ADD_LINK, link, null)));
        }
    }

    private void runDelayed() {
        while (local == null && (delayed != null || !deletions.isEmpty())) {
            LinkRequest request = delayed == null ? deletions.remove() : delayed;
            delayed = null;
            if (request.link().isUsable()) {
                begin(flow(request));
            } else if (request.message() == null) {
                wished = true;
            }
        }
    }

    /** Runs the action now if the slot is free, else when it is, or after so long. Nothing is put into the slot. */
    void whenIdle(long nanos, Runnable action) {
        if (local == null) {
            action.run();
            return;
        }
        // The list is needed by the timer and holds it: the action itself is what both know.
        idleActions.add(new IdleAction(action, group.scheduler().schedule(nanos, () -> timeUp(action))));
    }

    private void timeUp(Runnable action) {
        for (IdleAction idle : List.copyOf(idleActions)) {
            if (idle.action() == action) {
                run(idle);
            }
        }
    }

    private void run(IdleAction idle) {
        idle.timer().cancel();
        if (idleActions.remove(idle)) {
            idle.action().run();
        }
    }

    /** The flow in the slot cannot go on if it needs this link. */
    void lost(Link link) {
        if (local != null && local.isWaiting() && local.uses(link)) {
            local.miss(Flow.Miss.LINK_LOST);
        }
    }

    /** The group is at its end: no flow goes on, and none begins any more. */
    void close() {
        closed = true;
        delayed = null;
        deletions.clear();
        if (local != null) {
            local.miss(Flow.Miss.GROUP_ENDED);
        }
        for (Waiting entry : List.copyOf(waiting)) {
            entry.timer().cancel();
            entry.flow().miss(Flow.Miss.GROUP_ENDED);
        }
        waiting.clear();
        for (IdleAction idle : List.copyOf(idleActions)) {
            run(idle);
        }
    }
}
