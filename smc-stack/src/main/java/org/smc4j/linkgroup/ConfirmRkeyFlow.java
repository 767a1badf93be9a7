package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.diag.ReasonCode;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.LlcMessage;

/** Tells the peer where the RMB of a new connection is, on each active link (spec/20-llc.md §7). */
final class ConfirmRkeyFlow extends Flow {
    private final SmcrMembership membership;
    private final Link link;
    private final Outcome outcome;

    ConfirmRkeyFlow(SmcrMembership membership, Outcome outcome) {
        super(membership.group(), FlowType.RKEY);
        this.membership = membership;
        this.outcome = outcome;
        link = membership.link();
    }

    @Override
    void begin() {
        if (membership.hasLeft() || !link.isActive()) {
            fail();
            return;
        }
        RdmaBuffer rmb = membership.rmb();
        List<ConfirmRkey.RkeyOnLink> additional = new ArrayList<>();
        for (Link other : group().slots().active()) {
            if (other != link) {
                Rtoken rtoken = rmb.rtoken(other);
                additional.add(new ConfirmRkey.RkeyOnLink(other.id(), rtoken.rkey(), rtoken.address()));
            }
        }
        Rtoken rtoken = rmb.rtoken(link);
        link.send(ConfirmRkey.request(group().version(), rtoken.rkey(), rtoken.address(), additional));
        await(FlowStep.CONFIRM_RKEY_RESPONSE);
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        if (((ConfirmRkey) message).negative()) {
            fail();
        } else {
            end();
            membership.announced(true);
            outcome.succeeded();
        }
    }

    @Override
    void missed(FlowStep at, Miss why) {
        fail();
    }

    private void fail() {
        end();
        membership.announced(false);
        outcome.failed(ReasonCode.ERR_REGBUF);
    }

    @Override
    boolean uses(Link other) {
        return other == link;
    }
}
