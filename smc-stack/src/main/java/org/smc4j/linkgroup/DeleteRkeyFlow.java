package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.diag.Log;
import org.smc4j.llc.DeleteRkey;
import org.smc4j.llc.LlcMessage;

/**
 * Tells the peer that an RMB is not its to write to any more, then frees it for another connection (spec/20-llc.md §7). The
 * kernel does so whatever the peer has said. But a peer that has not said that it has forgotten the RMB may still write there,
 * into the stream of the next connection: such an RMB is deregistered, and nobody has it again.
 */
final class DeleteRkeyFlow extends Flow {
    private final RdmaBuffer rmb;
    private Link link;
    private int rkey;

    DeleteRkeyFlow(SmcrLinkGroup group, RdmaBuffer rmb) {
        super(group);
        this.rmb = rmb;
    }

    @Override
    void begin() {
        link = group().slots().anySendable();
        if (link == null) {
            discard("there was no link to tell the peer");
            return;
        }
        rkey = rmb.region(link).rkey();
        link.send(DeleteRkey.request(group().version(), List.of(rkey)));
        await(FlowStep.DELETE_RKEY_RESPONSE);
    }

    /** The answer of version 2 says nothing but that it is one; what {@link Link#answerMissed} is for. */
    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return group().version() == LlcMessage.VERSION_1 ? ((DeleteRkey) message).rkeys().equals(List.of(rkey)) : from == link;
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        if (((DeleteRkey) message).negative()) {
            // It does not know it by this link; it may by another.
            discard("the peer does not know it");
        } else {
            end();
            rmb.confirm(false);
            group().rmbs().giveBack(rmb);
        }
    }

    @Override
    void missed(FlowStep at, Miss why) {
        switch (why) {
            case LINK_LOST -> begin();
            // It goes with the group's other buffers, when no link is left by which the peer could write.
            case GROUP_ENDED -> end();
            default -> {
                if (at != null) {
                    link.answerMissed();
                }
                discard("the peer has not answered");
            }
        }
    }

    private void discard(String why) {
        end();
        Log.info(group() + ": an RMB of " + rmb.size() + " bytes is not used again: " + why);
        group().rmbs().discard(rmb);
    }

    @Override
    boolean uses(Link other) {
        return other == link;
    }
}
