package org.smc4j.proxy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.smc4j.carrier.FourTuple;
import org.smc4j.time.ExpiringMap;
import org.smc4j.time.Scheduler;

/**
 * Under which id each handshake of a process of this host is known outside (spec/80-cm-rej-timeout.md §4): processes choose
 * their ids without regard to each other. An entry stays for 30 s after the message that ended its handshake, as there may be
 * late ones, and goes without one when no handshake can last that long.
 */
final class IdMap {
    static final long ENDING_NANOS = 30_000_000_000L;
    /** More than twice the most that smc.handshake_timeout_ms allows. */
    static final long UNUSED_NANOS = 150_000_000_000L;
    static final int MAX_ENTRIES = 65_536;

    /**
     * One handshake of a process of this host.
     *
     * @param member  the process
     * @param localId what the process calls it
     * @param wireId  what other hosts call it
     * @param peer    the connection that it goes over
     */
    record Entry(int member, int localId, int wireId, int peer, FourTuple tuple) {
    }

    private record Key(int member, int localId) {
    }

    private final Map<Key, Entry> byMember = new HashMap<>();
    // By wire id, each entry in one of them.
    private final ExpiringMap<Integer, Entry> underWay;
    private final ExpiringMap<Integer, Entry> ending;
    private int lastWireId;

    /** @param lastWireId after which ids are given; another one each time makes late messages for a predecessor miss */
    IdMap(Scheduler scheduler, int lastWireId) {
        this.lastWireId = lastWireId;
        underWay = new ExpiringMap<>(scheduler, UNUSED_NANOS, MAX_ENTRIES, (id, entry) -> forget(entry));
        ending = new ExpiringMap<>(scheduler, ENDING_NANOS, MAX_ENTRIES, (id, entry) -> forget(entry));
    }

    /** Null if there is none. */
    Entry find(int member, int localId) {
        return byMember.get(new Key(member, localId));
    }

    /**
     * The entry of a handshake that is beginning or under way. Whatever the process called so on another connection is over.
     *
     * @return null if there are too many
     */
    Entry findOrAdd(int member, int localId, int peer, FourTuple tuple) {
        Entry known = find(member, localId);
        if (known != null && known.peer == peer) {
            return known;
        }
        if (known != null) {
            underWay.remove(known.wireId);
            ending.remove(known.wireId);
            forget(known);
        }
        if (size() >= MAX_ENTRIES && !ending.expireFirst()) {
            return null;
        }
        Entry entry = new Entry(member, localId, nextWireId(), peer, tuple);
        byMember.put(new Key(member, localId), entry);
        underWay.put(entry.wireId, entry);
        return entry;
    }

    private int nextWireId() {
        do {
            lastWireId++;
            // 0 stands for an id that is not known.
        } while (lastWireId == 0 || byWireId(lastWireId) != null);
        return lastWireId;
    }

    /** Null if there is none. */
    Entry byWireId(int wireId) {
        Entry entry = underWay.get(wireId);
        return entry == null ? ending.get(wireId) : entry;
    }

    /** A message of the handshake passes; its time begins anew, unless it has ended. */
    void used(Entry entry) {
        if (underWay.get(entry.wireId) != null) {
            underWay.put(entry.wireId, entry);
        }
    }

    /** A message that ends the handshake passes. Said again, the time until removal begins anew. */
    void ended(Entry entry) {
        underWay.remove(entry.wireId);
        ending.put(entry.wireId, entry);
    }

    void removeMember(int member) {
        removeAll(entry -> entry.member == member);
    }

    /** @return the entries of handshakes that were under way on the connection */
    List<Entry> removePeer(int peer) {
        return removeAll(entry -> entry.peer == peer);
    }

    private List<Entry> removeAll(Predicate<Entry> which) {
        List<Entry> removed = new ArrayList<>();
        ending.removeIf((id, entry) -> which.test(entry) && removed.add(entry));
        removed.forEach(this::forget);
        removed.clear();
        underWay.removeIf((id, entry) -> which.test(entry) && removed.add(entry));
        removed.forEach(this::forget);
        return removed;
    }

    private void forget(Entry entry) {
        byMember.remove(new Key(entry.member, entry.localId));
    }

    int size() {
        return underWay.size() + ending.size();
    }
}
