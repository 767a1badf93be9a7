package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.diag.ReasonCode;

/** A connection that notes what its group tells it, and how its handshake ends. */
final class TestMember implements GroupMember, Outcome {
    final List<String> events = new ArrayList<>();
    SmcrMembership membership;
    boolean leavesAtOnce = true;

    @Override
    public void pause() {
        events.add("paused");
    }

    @Override
    public void moveTo(Link link) {
        events.add("moved to " + link.id());
    }

    @Override
    public void kill(int reason) {
        events.add("killed " + Integer.toHexString(reason));
        leave();
    }

    @Override
    public void lastLinkLost() {
        events.add("last link lost");
        leave();
    }

    private void leave() {
        if (leavesAtOnce && membership != null) {
            membership.leave();
        }
    }

    @Override
    public void succeeded() {
        events.add("established");
    }

    @Override
    public void failed(ReasonCode reason) {
        events.add("failed " + reason);
        leave();
    }

    boolean isEstablished() {
        return events.contains("established");
    }

    String last() {
        return events.isEmpty() ? "" : events.getLast();
    }
}
