package org.smc4j.time;

import java.util.Comparator;
import java.util.TreeSet;

/** Tasks by their moments, those of one moment in the order in which they were added. Guarded by its owner's lock. */
final class TimerQueue {
    private static final Comparator<Entry> ORDER = new Comparator<>() {
        @Override
        public int compare(Entry a, Entry b) {
            // Moments wrap around as those of System.nanoTime may: only differences mean anything.
            int byMoment = Long.signum(a.moment - b.moment);
            return byMoment != 0 ? byMoment : Long.compare(a.sequence, b.sequence);
        }
    };

    /** One task and its place in the order. */
    static final class Entry {
        private final long moment;
        private final long sequence;
        private final Runnable task;

        private Entry(long moment, long sequence, Runnable task) {
            this.moment = moment;
            this.sequence = sequence;
            this.task = task;
        }

        long moment() {
            return moment;
        }

        Runnable task() {
            return task;
        }
    }

    private final TreeSet<Entry> entries = new TreeSet<>(ORDER);
    private long added;

    /** @param delay ns after {@code now}; longer ones than a moment can tell are cut to about 146 years */
    Entry add(long now, long delay, Runnable task) {
        if (delay < 0) {
            throw new IllegalArgumentException("negative delay: " + delay);
        }
        Entry entry = new Entry(now + Math.min(delay, Long.MAX_VALUE >> 1), added++, task);
        entries.add(entry);
        return entry;
    }

    void remove(Entry entry) {
        entries.remove(entry);
    }

    /** The first in the order, or null; it stays. */
    Entry first() {
        return entries.isEmpty() ? null : entries.first();
    }

    /** Takes the first if its moment has come, otherwise null. */
    Entry pollDue(long now) {
        Entry first = first();
        if (first == null || first.moment - now > 0) {
            return null;
        }
        entries.remove(first);
        return first;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void clear() {
        entries.clear();
    }
}
