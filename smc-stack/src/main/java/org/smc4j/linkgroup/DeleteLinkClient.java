package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;

/** The client does what the server asks for: a link goes, or the group (spec/20-llc.md §8). */
final class DeleteLinkClient extends Flow {
    /** Less than the server waits for the answer. */
    private static final long DRAIN_NANOS = FlowStep.WAIT_NANOS * 3 / 4;

    private final Link carrier;
    private final DeleteLink request;

    DeleteLinkClient(SmcrLinkGroup group, Link carrier, DeleteLink request) {
        super(group);
        this.carrier = carrier;
        this.request = request;
    }

    @Override
    void begin() {
        if (request.all()) {
            group().terminate(request.reason(), "the server has deleted it");
            return;
        }
        Link link = group().slots().byId(request.linkNumber());
        if (link == null) {
            answer(DeleteLink.UNKNOWN_LINK_ID);
            end();
            return;
        }
        boolean carried = link.isActive();
        if (link.deactivate() && carried) {
            group().failover().leave(link, request, DRAIN_NANOS, () -> {
                if (!hasEnded()) {
                    clear(link);
                }
            });
        } else {
            // Lost before: its connections were moved then.
            clear(link);
        }
    }

    /**
     * The server clears its side with the answer, so other than in the kernel that comes last: until then what we have posted
     * completes.
     */
    private void clear(Link link) {
        answer(DeleteLink.DONE);
        link.clear();
        group().countLinks();
        if (!hasEnded()) {
            end();
        }
    }

    /** By the link that the request came by; if that was lost meanwhile, by another. */
    private void answer(int reason) {
        Link answerer = carrier.isSendable() ? carrier : group().slots().anySendable();
        if (answerer != null) {
            answerer.send(request.answer(reason));
        }
    }

    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return false;
    }

    @Override
    void received(FlowStep at, Link link, LlcMessage message) {
        throw new IllegalStateException("waits for nothing");
    }

    /** The group has ended in the course of this flow. */
    @Override
    void missed(FlowStep at, Miss why) {
        end();
    }

    @Override
    boolean uses(Link link) {
        return false;
    }
}
