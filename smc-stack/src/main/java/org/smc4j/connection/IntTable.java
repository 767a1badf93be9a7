package org.smc4j.connection;

/**
 * Objects by a number, for many lookups by any thread, without a lock or an allocation, and few changes. Each change makes a new
 * table of the present entries.
 */
final class IntTable<T> {
    /** Entries lie in the first free place from that of their number on; at least half of the places are free. */
    private record Table(int[] keys, Object[] values, int count) {
        Table(int capacity) {
            this(new int[capacity], new Object[capacity], 0);
        }

        int find(int key) {
            int mask = values.length - 1;
            int at = mix(key) & mask;
            while (values[at] != null && keys[at] != key) {
                at = at + 1 & mask;
            }
            return at;
        }

        private static int mix(int key) {
            int product = key * 0x9E3779B9;
            return product ^ product >>> 16;
        }
    }

    private static final int MIN_CAPACITY = 8;

    /** Immutable once it is here; written under this object's monitor. */
    private volatile Table table = new Table(MIN_CAPACITY);

    /** The object with that number, or null. */
    @SuppressWarnings("unchecked")
    T get(int key) {
        Table current = table;
        return (T) current.values[current.find(key)];
    }

    /** Adds it unless the number is taken. */
    synchronized boolean add(int key, T value) {
        if (get(key) != null) {
            return false;
        }
        table = rebuilt(key, value, table.count + 1);
        return true;
    }

    synchronized void remove(int key) {
        if (get(key) != null) {
            table = rebuilt(key, null, table.count - 1);
        }
    }

    /** The present entries without that of {@code key}, and with the value for it if there is one. */
    private Table rebuilt(int key, T value, int count) {
        int capacity = MIN_CAPACITY;
        while (capacity < 2 * count) {
            capacity *= 2;
        }
        Table old = table;
        int[] keys = new int[capacity];
        Object[] values = new Object[capacity];
        Table next = new Table(keys, values, count);
        for (int i = 0; i < old.values.length; i++) {
            if (old.values[i] != null && old.keys[i] != key) {
                put(next, old.keys[i], old.values[i]);
            }
        }
        if (value != null) {
            put(next, key, value);
        }
        return next;
    }

    private static void put(Table table, int key, Object value) {
        int at = table.find(key);
        table.keys[at] = key;
        table.values[at] = value;
    }
}
