package org.smc4j.time;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * A map whose entries go when they have not been put for a fixed time, and the oldest early when there are too many. However many
 * entries it has, it has one timer. Used on the thread of its scheduler only.
 */
public final class ExpiringMap<K, V> {
    private record Held<V>(V value, long deadline) {
    }

    private final Scheduler scheduler;
    private final long lifetimeNanos;
    private final int maxSize;
    private final BiConsumer<K, V> expired;
    /** In the order of their deadlines, as all live equally long. */
    private final LinkedHashMap<K, Held<V>> entries = new LinkedHashMap<>();
    private boolean timerPending;

    /**
     * @param lifetimeNanos how long an entry stays
     * @param maxSize       how many stay, at least 1
     * @param expired       told about each entry that has gone by itself, but not about those that were removed or replaced
     */
    public ExpiringMap(Scheduler scheduler, long lifetimeNanos, int maxSize, BiConsumer<K, V> expired) {
        this.scheduler = scheduler;
        this.lifetimeNanos = lifetimeNanos;
        this.maxSize = maxSize;
        this.expired = expired;
    }

    /** Puts an entry, or a new value; its time begins anew. */
    public void put(K key, V value) {
        entries.remove(key);
        entries.put(key, new Held<>(value, scheduler.nanoTime() + lifetimeNanos));
        if (entries.size() > maxSize) {
            expireFirst();
        }
        arm();
    }

    /** Null if there is none. */
    public V get(K key) {
        Held<V> held = entries.get(key);
        return held == null ? null : held.value;
    }

    /** Removes an entry: its value, null if there was none. */
    public V remove(K key) {
        Held<V> held = entries.remove(key);
        return held == null ? null : held.value;
    }

    /** Removes every entry for which the predicate holds; it must not change the map. */
    public void removeIf(BiPredicate<K, V> predicate) {
        entries.entrySet().removeIf(entry -> predicate.test(entry.getKey(), entry.getValue().value));
    }

    /** Lets the oldest entry go now; false if there is none. */
    public boolean expireFirst() {
        Iterator<Map.Entry<K, Held<V>>> all = entries.entrySet().iterator();
        if (!all.hasNext()) {
            return false;
        }
        Map.Entry<K, Held<V>> first = all.next();
        all.remove();
        expired.accept(first.getKey(), first.getValue().value);
        return true;
    }

    public int size() {
        return entries.size();
    }

    private void arm() {
        if (!timerPending && !entries.isEmpty()) {
            timerPending = true;
            long deadline = entries.firstEntry().getValue().deadline;
            scheduler.schedule(Math.max(0, deadline - scheduler.nanoTime()), this::expire);
        }
    }

    private void expire() {
        timerPending = false;
        long now = scheduler.nanoTime();
        while (!entries.isEmpty() && now - entries.firstEntry().getValue().deadline >= 0) {
            expireFirst();
        }
        arm();
    }
}
