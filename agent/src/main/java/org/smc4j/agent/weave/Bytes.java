package org.smc4j.agent.weave;

import java.util.Arrays;

/** Numbers in a class file's order: read anywhere in an array, written at the end of a growing one. */
final class Bytes {
    private byte[] array;
    private int size;

    Bytes(int capacity) {
        array = new byte[capacity];
    }

    static int u1(byte[] in, int at) {
        return in[at] & 0xFF;
    }

    static int u2(byte[] in, int at) {
        return (in[at] & 0xFF) << 8 | in[at + 1] & 0xFF;
    }

    static int s2(byte[] in, int at) {
        return in[at] << 8 | in[at + 1] & 0xFF;
    }

    static int s4(byte[] in, int at) {
        return u2(in, at) << 16 | u2(in, at + 2);
    }

    static void put2(byte[] in, int at, int value) {
        in[at] = (byte) (value >> 8);
        in[at + 1] = (byte) value;
    }

    int size() {
        return size;
    }

    Bytes u1(int value) {
        room(1);
        array[size++] = (byte) value;
        return this;
    }

    Bytes u2(int value) {
        return u1(value >> 8).u1(value);
    }

    Bytes u4(int value) {
        return u2(value >> 16).u2(value);
    }

    Bytes copy(byte[] from, int start, int end) {
        room(end - start);
        System.arraycopy(from, start, array, size, end - start);
        size += end - start;
        return this;
    }

    Bytes copy(Bytes from) {
        return copy(from.array, 0, from.size);
    }

    /** Writes again what was written at a place before its value was known. */
    void put2(int at, int value) {
        put2(array, at, value);
    }

    void put4(int at, int value) {
        put2(at, value >> 16);
        put2(at + 2, value);
    }

    byte[] toArray() {
        return Arrays.copyOf(array, size);
    }

    private void room(int more) {
        if (size + more > array.length) {
            array = Arrays.copyOf(array, Math.max(2 * array.length, size + more));
        }
    }
}
