package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.llc.DeleteRkey;
import org.smc4j.llc.LlcMessage;

/** Tells the peer that an RMB is not its to write to any more, then frees it for another connection (spec/20-llc.md §7). */
final class DeleteRkeyFlow extends Flow {
    private final RdmaBuffer rmb;
    private Link link;

    DeleteRkeyFlow(SmcrLinkGroup group, RdmaBuffer rmb) {
        super(group, FlowType.RKEY);
        this.rmb = rmb;
    }

    @Override
    void begin() {
        link = group().slots().anySendable();
        if (link == null) {
            giveBack();
            return;
        }
        link.send(DeleteRkey.request(group().version(), List.of(rmb.region(link).rkey())));
        await(FlowStep.DELETE_RKEY_RESPONSE);
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        giveBack();
    }

    /** What the peer says, or whether it says anything, changes nothing. */
    @Override
    void missed(FlowStep at, Miss why) {
        giveBack();
    }

    private void giveBack() {
        end();
        rmb.confirm(false);
        group().rmbs().giveBack(rmb);
    }

    @Override
    boolean uses(Link other) {
        return other == link;
    }
}
