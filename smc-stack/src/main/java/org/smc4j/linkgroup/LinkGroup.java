package org.smc4j.linkgroup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.smc4j.diag.Log;
import org.smc4j.llc.DeleteLink;
import org.smc4j.time.Scheduler;

/**
 * The connections that share the way to one peer, and how long that way is kept (spec/40-buffers-linkgroups.md §6, §7). A group
 * is listed, so that it can be chosen, until it ends; it is freed when its connections and links are gone, too.
 */
public abstract sealed class LinkGroup permits SmcrLinkGroup, SmcdLinkGroup {
    private final LinkGroups groups;
    private final int id;
    private final Map<Integer, Membership> members = new LinkedHashMap<>();
    private final References references = new References(this::freed);
    private boolean listed = true;
    private Scheduler.Timer freeTimer;

    LinkGroup(LinkGroups groups) {
        this.groups = groups;
        id = groups.identifiers().nextGroupId();
        groups.list(this);
    }

    /** 32 bits, unique in this system; a multiple of 256. */
    public final int id() {
        return id;
    }

    public final int connectionCount() {
        return members.size();
    }

    /** Whether new connections may find it. */
    public final boolean isListed() {
        return listed;
    }

    /** The peer has said, in a Decline with the out-of-sync bit, that it knows no such group. */
    public final void syncError() {
        terminate(DeleteLink.PROGRAM_INITIATED, "the peer and we do not know the same group (out of sync)");
    }

    final LinkGroups groups() {
        return groups;
    }

    final Scheduler scheduler() {
        return groups.scheduler();
    }

    final References references() {
        return references;
    }

    final List<Membership> members() {
        return List.copyOf(members.values());
    }

    /** A token for a new member. */
    final int newAlertToken() {
        return groups.identifiers().nextAlertToken(members::containsKey);
    }

    final void add(Membership membership) {
        references.take();
        members.put(membership.alertToken(), membership);
        cancelFree();
    }

    final void remove(Membership membership) {
        members.remove(membership.alertToken());
        if (members.isEmpty() && listed) {
            freeTimer = scheduler().schedule(freeDelayNanos(), this::unused);
        }
        references.release();
    }

    private void cancelFree() {
        if (freeTimer != null) {
            freeTimer.cancel();
            freeTimer = null;
        }
    }

    private void unused() {
        freeTimer = null;
        unlist("unused");
        farewell(true, DeleteLink.PROGRAM_INITIATED, this::free);
    }

    /**
     * Ends the group: its connections are aborted, the peer is told, everything is freed as soon as nobody uses it any more. Does
     * nothing to a group that has ended.
     *
     * @param reason one of those in {@link DeleteLink}
     */
    public final void terminate(int reason) {
        terminate(reason, "deleted");
    }

    /** @param why for the log */
    final void terminate(int reason, String why) {
        if (listed) {
            unlist(why + ", reason " + reason);
            for (Membership membership : members()) {
                if (!membership.hasLeft()) {
                    membership.member().kill(reason);
                }
            }
            farewell(false, reason, this::free);
        }
    }

    /** Ends the group because there is no way to the peer any more, or the peer has found so. */
    public final void abandon() {
        if (listed) {
            unlist("its last link is lost");
            stopLinks();
            for (Membership membership : members()) {
                if (!membership.hasLeft()) {
                    membership.member().lastLinkLost();
                }
            }
            free();
        }
    }

    /** The one way out of the list, so that a group ends once. */
    private void unlist(String why) {
        listed = false;
        cancelFree();
        groups.unlist(this);
        Log.info(this + " has ended: " + why + "; connections: " + members.size());
        ending();
    }

    private void free() {
        releaseResources();
        references.release();
    }

    private void freed() {
        freeMemory();
        groups.freed(this);
    }

    /** How long the group waits for a new connection after the last has left. */
    abstract long freeDelayNanos();

    /** The group is not listed any more: nothing of it goes on, and nothing begins. */
    void ending() {
    }

    /** Nothing is taken or sent by any link from now on, nor sent again. */
    void stopLinks() {
    }

    /** Tells the peer that the group is gone, then runs {@code done}, in any case and soon. */
    abstract void farewell(boolean orderly, int reason, Runnable done);

    /** Gives up what the group holds by itself. */
    void releaseResources() {
    }

    /** Nobody holds the group any more. */
    void freeMemory() {
    }
}
