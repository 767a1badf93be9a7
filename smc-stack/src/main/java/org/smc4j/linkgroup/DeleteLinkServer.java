package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;

/**
 * The server deletes a link, or the group: because the client wants it, because the link was lost here, or because it is
 * asymmetric and not needed any more. It lets the link's sends drain, moves the connections, tells the client, waits for the
 * answer, clears the link, and offers another one if a single one is left (spec/20-llc.md §6, §8).
 */
final class DeleteLinkServer extends Flow {
    /**
     * As long as the kernel waits for a free slot. A peer that takes nothing, and is asked again without end, blocks no longer.
     */
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private final DeleteLink message;
    private Link link;
    private Link carrier;
    private boolean repeated;

    /**
     * @param carrier over which the client is told, if it can send then; null: over any
     * @param message goes to the client as it is
     */
    DeleteLinkServer(SmcrLinkGroup group, Link carrier, DeleteLink message) {
        super(group);
        this.carrier = carrier;
        this.message = message;
    }

    @Override
    void begin() {
        if (message.all()) {
            group().farewell(true, message.reason(), () -> {
            });
            group().terminate(message.reason(), "the client has asked to delete it");
            return;
        }
        link = group().slots().byId(message.linkNumber());
        if (link == null) {
            end();
            if (message.orderly()) {
                // The client was not reached when this end deleted it, and refused whatever was offered as long as it kept it.
                offerAnother();
            }
            return;
        }
        boolean carried = link.isActive();
        if (link.deactivate() && carried) {
            group().failover().leave(link, message, DRAIN_NANOS, () -> {
                if (!hasEnded()) {
                    tellClient();
                }
            });
        } else {
            // Lost before: its connections were moved then.
            tellClient();
        }
    }

    private void tellClient() {
        if (carrier == null || !carrier.isSendable()) {
            carrier = group().slots().anySendable();
        }
        if (carrier == null) {
            clear();
        } else {
            carrier.send(message);
            await(FlowStep.DELETE_LINK_RESPONSE);
        }
    }

    private void clear() {
        link.clear();
        group().countLinks();
        if (!hasEnded()) {
            end();
            offerAnother();
        }
    }

    private void offerAnother() {
        if (group().type() == LinkGroupType.SINGLE) {
            group().flows().wishForLink(group().slots().anySendable());
        }
    }

    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage response) {
        return ((DeleteLink) response).linkNumber() == message.linkNumber();
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage response) {
        clear();
    }

    @Override
    void missed(FlowStep at, Miss why) {
        switch (why) {
            case GROUP_ENDED -> end();
            // The client may not have heard, and would keep a link that it thinks alive: it is told over another one.
            case LINK_LOST -> tellClient();
            // The same if the link by which it was told is lost, and only the client knows: then it has said so, or nothing more comes.
            case TIMEOUT, REFUSED, REPLACED -> repeat();
        }
    }

    private void repeat() {
        carrier = group().slots().sendableBut(carrier);
        if (repeated || carrier == null) {
            // The link is gone all the same.
            clear();
        } else {
            repeated = true;
            tellClient();
        }
    }

    @Override
    boolean uses(Link other) {
        return other == carrier;
    }
}
