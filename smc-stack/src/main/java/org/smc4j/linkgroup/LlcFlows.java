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
    /** What the flow in the slot has to end for; {@link #keep} says what is kept. */
    private final Deque<LinkRequest> kept = new ArrayDeque<>();
    private Flow local;
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
        switch (message) {
            case TestLink _ -> link.keepalive().answered();
            case RequestAddLink _ -> invitationRefused();
            case DeleteRkey answer when answer.rkeys().isEmpty() && link.isMissedAnswer() -> Log.debug(link + ": late " + answer);
            default -> deliver(link, message);
        }
    }

    private void request(Link link, LlcMessage message) {
        switch (message) {
            case TestLink test -> link.send(test.answer());
            case ConfirmRkey confirm -> link.send(peerRkeys.confirm(link, confirm));
            case DeleteRkey delete -> link.send(peerRkeys.delete(link, delete));
            case ConfirmLink confirm -> deliver(link, confirm);
            case AddLinkContinue more -> deliver(link, more);
            case AddLink add when group.role() == Role.CLIENT -> offered(link, add);
            case AddLink _ -> invited(link, null);
            case DeleteLink delete -> deleteLink(link, delete);
            case RequestAddLink invitation -> invited(link, invitation);
            case ConfirmRkeyContinue more -> {
            }
        }
    }

    /** To the flow in the slot if it waits for just that; else false: it is too late, or nobody has asked for it. */
    private boolean deliver(Link link, LlcMessage message) {
        if (local != null && local.deliver(link, message)) {
            return true;
        }
        if (Log.isDebug()) {
            Log.debug(link + ": nothing waits for " + message);
        }
        return false;
    }

    /** The server has answered an invitation: it offers no link. */
    private void invitationRefused() {
        if (local instanceof Invitation) {
            local.miss(Flow.Miss.REFUSED);
        }
    }

    /** Our side would like another link: the server offers one, the client asks for an offer. */
    void wishForLink(Link link) {
        if (!closed) {
            if (isFree()) {
                begin(linkWanted(link));
            } else {
                wished = true;
            }
        }
    }

    private Flow linkWanted(Link link) {
        return group.role() == Role.SERVER ? new AddLinkServer(group, link, null, null) : new Invitation(group, link);
    }

    /** The server offers a link: to a flow that waits for that; one that still adds the link of an earlier offer ends. */
    private void offered(Link link, AddLink offer) {
        if (!deliver(link, offer)) {
            beginOrKeep(new LinkRequest(link, offer), Flow.Miss.REPLACED);
        }
    }

    /** A link is to go, by a request of the peer or, on the server, by our own wish. */
    void deleteLink(Link link, DeleteLink request) {
        if (closed) {
            return;
        }
        if (local instanceof AddLinkFlow adding && adding.deletesAdded(request)) {
            adding.addedIsDeleted(link, request);
        } else {
            beginOrKeep(new LinkRequest(link, request), Flow.Miss.REFUSED);
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
        return local == null && kept.isEmpty();
    }

    /** @param why the flow in the slot ends if the request shows that the peer has given it up */
    private void beginOrKeep(LinkRequest request, Flow.Miss why) {
        runKept();
        if (local == null) {
            begin(flow(request));
            return;
        }
        keep(request);
        if (local.isWaiting() && local.isGivenUpBy(request.message())) {
            local.miss(why);
        }
    }

    /**
     * Keeps what the peer, or our side, wants for the time after the flow in the slot. The kernel keeps one request, unless it is
     * of the kind that is under way, and then the ends do not agree on their links until a TEST LINK is not answered. Here it is
     * one deletion for each link and one for all, and an offer if that is the server's latest word: it does one thing at a time,
     * and has taken back an offer that was not answered. Another one is asked for if it may have had to give way.
     */
    private void keep(LinkRequest request) {
        boolean offer = request.message() instanceof AddLink;
        if (kept.removeIf(earlier -> earlier.message() instanceof AddLink)) {
            wished |= !offer;
        }
        if (offer || kept.size() <= LinkSlots.COUNT) {
            kept.add(request);
        } else {
            Log.info(group + ": dropped one request too many: " + request.message());
        }
    }

    private Flow flow(LinkRequest request) {
        return switch (request.message()) {
            case AddLink offer -> new AddLinkClient(group, request.link(), offer, null);
            case DeleteLink delete -> group.role() == Role.SERVER ? new DeleteLinkServer(group, request.link(), delete)
                    : new DeleteLinkClient(group, request.link(), delete);
            default -> throw new IllegalStateException("not for later: " + request.message());
        };
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
        runKept();
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
            begin(linkWanted(link));
        }
    }

    /**
     * Whatever became of the link by which it came, a deletion is served, and answered over another link; without that the peer
     * has deleted a link that this end keeps, and has no place for the next. An offer needs its link: the rkeys and the messages
     * that follow belong to it; the client asks for another one.
     */
    private void runKept() {
        while (local == null && !kept.isEmpty()) {
            LinkRequest request = kept.remove();
            if (request.message() instanceof AddLink && !request.link().isUsable()) {
                wished = true;
            } else {
                begin(flow(request));
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
        kept.clear();
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
