package org.smc4j.roce.software;

import org.smc4j.roce.Completions;

/** The memory that a queue pair has for the next messages. All under its receive lock, except for {@link #reclaim}. */
final class ReceiveQueue {
    /** Told of completions; the receive lock is held. */
    interface Completer {
        void completeReceive(long position, long id, int status, int length, boolean solicited);
    }

    private final Completer completer;
    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    // Positions count requests since the beginning.
    private long posted;
    private long completed;
    /** As of a send queue. */
    private volatile long reclaimed;

    ReceiveQueue(Completer completer, int capacity) {
        this.completer = completer;
        ids = new long[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        lkeys = new int[capacity];
    }

    /** False if the queue is full. */
    boolean post(long id, long address, int length, int lkey) {
        if (posted - reclaimed >= ids.length) {
            return false;
        }
        int slot = slot(posted);
        ids[slot] = id;
        addresses[slot] = address;
        lengths[slot] = length;
        lkeys[slot] = lkey;
        posted++;
        return true;
    }

    boolean isEmpty() {
        return completed == posted;
    }

    // Of the first that has not completed.

    long address() {
        return addresses[slot(completed)];
    }

    int length() {
        return lengths[slot(completed)];
    }

    int lkey() {
        return lkeys[slot(completed)];
    }

    /** Completes the first. */
    void complete(int status, int length, boolean solicited) {
        completer.completeReceive(completed, ids[slot(completed)], status, length, solicited);
        completed++;
    }

    void flush() {
        while (!isEmpty()) {
            complete(Completions.FLUSH_ERROR, 0, false);
        }
    }

    /** The slots up to this position can be used again. Called by whoever polls. */
    void reclaim(long position) {
        reclaimed = position + 1;
    }

    private int slot(long position) {
        return (int) (position % ids.length);
    }
}
