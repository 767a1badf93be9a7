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
    /** How the RMB is reached on the link that carries the messages; null as long as the peer was not told. */
    private Rtoken told;

    ConfirmRkeyFlow(SmcrMembership membership, Outcome outcome) {
        super(membership.group());
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
        told = rmb.rtoken(link);
        link.send(ConfirmRkey.request(group().version(), told.rkey(), told.address(), additional));
        await(FlowStep.CONFIRM_RKEY_RESPONSE);
    }

    /** The answer repeats the request. */
    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        ConfirmRkey answer = (ConfirmRkey) message;
        return told.equals(new Rtoken(answer.rkey(), answer.address()));
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

    /**
     * The peer may have heard all the same. The kernel does not take it back, as no Accept or Confirm has named the RMB, so nobody
     * writes there, and the next connection that has it tells of the same rtoken ({@link RtokenTable#add(Rtoken[])}).
     */
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
