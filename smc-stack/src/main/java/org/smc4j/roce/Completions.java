package org.smc4j.roce;

/** Completions as they were polled; one object is used for many polls, by one thread. */
public final class Completions {
    /** Numbers of {@code enum ibv_wc_status}. */
    public static final int SUCCESS = 0;
    public static final int LOCAL_LENGTH_ERROR = 1;
    public static final int LOCAL_PROTECTION_ERROR = 4;
    public static final int FLUSH_ERROR = 5;
    public static final int REMOTE_INVALID_REQUEST = 9;
    public static final int REMOTE_ACCESS_ERROR = 10;
    public static final int REMOTE_OPERATION_ERROR = 11;
    public static final int RETRY_EXCEEDED = 12;
    public static final int RNR_RETRY_EXCEEDED = 13;
    public static final int GENERAL_ERROR = 21;

    private final long[] ids;
    private final int[] statuses;
    private final int[] queuePairs;
    private final int[] lengths;
    private int count;

    public Completions(int capacity) {
        ids = new long[capacity];
        statuses = new int[capacity];
        queuePairs = new int[capacity];
        lengths = new int[capacity];
    }

    /** For devices: forgets what was polled before. */
    public void clear() {
        count = 0;
    }

    /** For devices: whether no more completions fit in. */
    public boolean isFull() {
        return count == ids.length;
    }

    /** For devices. */
    public void add(long id, int status, int queuePair, int length) {
        ids[count] = id;
        statuses[count] = status;
        queuePairs[count] = queuePair;
        lengths[count] = length;
        count++;
    }

    public int count() {
        return count;
    }

    /** The id that the work request was posted with. */
    public long id(int index) {
        return ids[index];
    }

    /** {@link #SUCCESS} or why not. */
    public int status(int index) {
        return statuses[index];
    }

    /** Number of the local queue pair. */
    public int queuePair(int index) {
        return queuePairs[index];
    }

    /** Bytes received; of no meaning for what was sent, and for errors. */
    public int length(int index) {
        return lengths[index];
    }
}
