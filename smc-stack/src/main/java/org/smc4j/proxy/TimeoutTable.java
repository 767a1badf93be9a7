package org.smc4j.proxy;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.carrier.FourTuple;
import org.smc4j.time.ExpiringMap;
import org.smc4j.time.Scheduler;

/**
 * To which process the proposals of other hosts went (spec/80-cm-rej-timeout.md §5). A host that gives up before it had an
 * answer knows its own id only; by that the process is found. A host is its connection here: after it has connected anew, it may
 * give its ids anew, and what was under way is over.
 */
final class TimeoutTable {
    static final long LIFETIME_NANOS = 30_000_000_000L;
    static final int MAX_ENTRIES = 65_536;

    /**
     * A proposal that passed.
     *
     * @param peer     the connection that it came over
     * @param remoteId the peer's id for it
     * @param member   the process that it went to
     */
    record Proposal(int peer, int remoteId, int member, FourTuple tuple) {
    }

    private record Key(int peer, int remoteId) {
    }

    private final ExpiringMap<Key, Proposal> proposals;

    TimeoutTable(Scheduler scheduler) {
        // When there are too many, the oldest is forgotten; its process waits for its own time-out.
        proposals = new ExpiringMap<>(scheduler, LIFETIME_NANOS, MAX_ENTRIES, (key, proposal) -> { });
    }

    /** A proposal passes. A duplicate of one that is known postpones its removal and changes nothing else. */
    void passed(Proposal proposal) {
        Key key = new Key(proposal.peer, proposal.remoteId);
        Proposal known = proposals.get(key);
        proposals.put(key, known == null ? proposal : known);
    }

    /** The process that a proposal went to; 0 if that is not known. */
    int memberOf(int peer, int remoteId) {
        Proposal proposal = proposals.get(new Key(peer, remoteId));
        return proposal == null ? 0 : proposal.member;
    }

    void removeMember(int member) {
        proposals.removeIf((key, proposal) -> proposal.member == member);
    }

    /** @return what was removed */
    List<Proposal> removePeer(int peer) {
        List<Proposal> removed = new ArrayList<>();
        proposals.removeIf((key, proposal) -> proposal.peer == peer && removed.add(proposal));
        return removed;
    }

    int size() {
        return proposals.size();
    }
}
