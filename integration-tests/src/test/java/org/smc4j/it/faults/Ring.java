package org.smc4j.it.faults;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;

/** The shared memory of a connection in the hands of a liar, and the lies. */
final class Ring {
    private static final long PRODUCER = 8;
    private static final long CONSUMER = 16;
    private static final int HEADER = 32;
    private static final int WAIT_DATA = 0;
    private static final int WAIT_SPACE = 64;
    private static final int SWITCH = 128;
    private static final int URGENT = 136;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long CHAOS_NANOS = 300_000_000L;

    interface Lie {
        void tell(Ring ring) throws InterruptedException;
    }

    private final Dmb own;
    private final Dmb peer;
    private final int doorbell;
    final int size;

    Ring(Dmb own, Dmb peer, int doorbell) {
        this.own = own;
        this.peer = peer;
        this.doorbell = doorbell;
        this.size = peer.size() - HEADER;
    }

    static long cursor(int wrap, int count, int flags) {
        return wrap & 0xFFFFL | (count & 0xFFFFFFFFL) << 16 | (long) flags << 56;
    }

    void producer(int wrap, int count) {
        LONG.setVolatile(peer.memory(), PRODUCER, cursor(wrap, count, 0));
        ring();
    }

    void consumer(int wrap, int count, int flags) {
        LONG.setVolatile(peer.memory(), CONSUMER, cursor(wrap, count, flags));
        ring();
    }

    void switchAt(long word) {
        LONG.setVolatile(peer.memory(), (long) peer.size() + SWITCH, word);
        ring();
    }

    void urgentAt(long word) {
        LONG.setVolatile(peer.memory(), (long) peer.size() + URGENT, word);
        ring();
    }

    /** Takes the peer's requests to be woken back without waking it. */
    void stealRequests() {
        INT.setVolatile(peer.memory(), (long) peer.size() + WAIT_DATA, 0);
        INT.setVolatile(peer.memory(), (long) peer.size() + WAIT_SPACE, 0);
    }

    boolean isPeerWaitingForData() {
        return (int) INT.getVolatile(peer.memory(), (long) peer.size() + WAIT_DATA) != 0;
    }

    /** Wakes whoever of the peer waits, so that it sees the lie. */
    void ring() {
        for (int word : new int[] {WAIT_DATA, WAIT_SPACE}) {
            INT.setVolatile(peer.memory(), (long) peer.size() + word, 0);
            Linux.futexWake(peer.memory().address() + peer.size() + word);
        }
        Linux.signal(doorbell);
    }

    /** Random words everywhere, some of them nearly right, for a while. */
    void chaos(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + CHAOS_NANOS;
        long[] offsets = {PRODUCER, CONSUMER, peer.size() + SWITCH, peer.size() + URGENT, peer.size() + WAIT_DATA,
            peer.size() + WAIT_SPACE, 0, 24};
        while (System.nanoTime() < end) {
            long word = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> cursor(random.nextInt(3) - 1, random.nextInt(2 * size) - size / 2, 1 << random.nextInt(8));
                case 2 -> cursor(random.nextInt(2), random.nextInt(size), 0);
                default -> random.nextInt(100) - 50;
            };
            LONG.setVolatile(peer.memory(), offsets[random.nextInt(offsets.length)], word);
            if (random.nextInt(8) == 0) {
                LONG.setVolatile(own.memory(), own.size() + 8L * random.nextInt(512), word);
            }
            if (random.nextInt(16) == 0) {
                ring();
            }
        }
        ring();
    }

    private static void impossible(Map<String, Lie> lies, String name, int wrap, ToIntFunction<Ring> count) {
        lies.put("producer " + name, ring -> {
            ring.switchAt(1);
            ring.producer(wrap, count.applyAsInt(ring));
        });
        lies.put("consumer " + name, ring -> ring.consumer(wrap, count.applyAsInt(ring), 0));
    }

    /** The lies by name; those with a slash are impossible cursors. The peer is switched or not, with nothing sent through the ring yet. */
    static Map<String, Lie> lies() {
        Map<String, Lie> lies = new LinkedHashMap<>();
        int[][] cursors = {{0, -1}, {0, Integer.MIN_VALUE}, {0, Integer.MAX_VALUE}, {1, 1}, {2, 0}, {0xFFFF, 65000},
            {0xFFFF, 0}, {0x8000, 5}};
        for (int[] cursor : cursors) {
            impossible(lies, cursor[0] + "/" + cursor[1], cursor[0], ring -> cursor[1]);
        }
        impossible(lies, "0/size", 0, ring -> ring.size);
        impossible(lies, "0/size + 1", 0, ring -> ring.size + 1);
        impossible(lies, "1/size - 1", 1, ring -> ring.size - 1);
        impossible(lies, "1/size", 1, ring -> ring.size);
        lies.put("consumer ahead of what was sent", ring -> ring.consumer(0, 1, 0));
        lies.put("producer backwards", ring -> {
            ring.switchAt(1);
            ring.producer(0, 1000);
            Thread.sleep(30);
            ring.producer(0, 10);
        });
        lies.put("ring full of nothing", ring -> {
            ring.switchAt(1);
            ring.producer(1, 0);
        });
        for (int bit = 0; bit < 8; bit++) {
            int flags = 1 << bit;
            lies.put("flags 0x" + Integer.toHexString(flags), ring -> ring.consumer(0, 0, flags));
        }
        lies.put("flags 0xff and back", ring -> {
            ring.consumer(0, 0, 0xFF);
            Thread.sleep(20);
            ring.consumer(0, 0, 0);
        });
        for (long urgent : new long[] {Long.MIN_VALUE, -1, 1, 2, 5, 11, 65504, 65505, 1L << 32, Long.MAX_VALUE}) {
            lies.put("urgent " + urgent, ring -> {
                ring.switchAt(1);
                ring.urgentAt(urgent);
                ring.producer(0, 10);
            });
        }
        for (long offset : new long[] {Long.MIN_VALUE, -1, 0, 1, 3, 1000, 1L << 40, Long.MAX_VALUE}) {
            lies.put("switch " + offset, ring -> {
                ring.switchAt(offset);
                ring.producer(0, 10);
            });
        }
        lies.put("switch moved", ring -> {
            ring.switchAt(1L << 30);
            Thread.sleep(20);
            ring.switchAt(1);
            ring.producer(0, 10);
            Thread.sleep(20);
            ring.switchAt(0);
        });
        return lies;
    }
}
