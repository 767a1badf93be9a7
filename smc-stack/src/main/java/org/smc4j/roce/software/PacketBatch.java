package org.smc4j.roce.software;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.IoVector;

/**
 * Packets that are sent in one call, straight from the memory they lie in, and what is left of them when a socket had no room.
 * The memory is held only while the call lasts: a queue pair that waits for its peer keeps nobody from deregistering. Under the
 * queue pair's send lock.
 */
final class PacketBatch {
    private static final int PACKETS = 16;
    private static final int PIECES = PACKETS * (1 + Payload.MOST_PIECES);
    /** No packet is added once so many bytes are in. */
    private static final int ENOUGH_BYTES = 256 << 10;

    private final MemorySegment headers;
    private final IoVector vector;
    /** Of each piece of the vector: null for headers and inline bytes. */
    private final Region[] regions = new Region[PIECES];
    private final Packet packet = new Packet();
    private final Payload payload = new Payload();
    /** Whether the regions of what is left are entered. */
    private boolean inside;
    /** Whether nobody waits for the last request by itself: it may travel with the next one. */
    private boolean more;

    PacketBatch(Arena arena) {
        headers = arena.allocate((long) PACKETS * WireFormat.HEADER_LENGTH, 8);
        vector = new IoVector(arena, PIECES);
    }

    boolean isEmpty() {
        return vector.isEmpty();
    }

    /** Takes the next packets of a queue into the empty batch; false if there are none. */
    boolean fill(SendQueue sends) {
        vector.clear();
        int bytes = 0;
        for (int i = 0; i < PACKETS && bytes < ENOUGH_BYTES && sends.next(Long.MAX_VALUE, packet, payload); i++) {
            long header = (long) i * WireFormat.HEADER_LENGTH;
            WireFormat.encode(packet, headers, header);
            vector.add(headers.address() + header, WireFormat.HEADER_LENGTH);
            for (int piece = 0; piece < payload.pieces; piece++) {
                regions[vector.end()] = payload.regions[piece];
                vector.add(payload.addresses[piece], payload.lengths[piece]);
            }
            payload.handOver();
            bytes += packet.length;
            more = packet.last && packet.unsignaled && packet.opcode == Packet.WRITE;
        }
        inside = true;
        return !vector.isEmpty();
    }

    /**
     * Sends what the socket has room for. What is left is sent by the next call.
     *
     * @return the number of bytes, or a negated errno; EFAULT: memory of a packet that was begun is not registered any more
     */
    long send(int descriptor) {
        int first = vector.first();
        int end = vector.end();
        if (!inside && !enter(first, end)) {
            return -Errno.EFAULT;
        }
        long sent = vector.sendNow(descriptor, more);
        leave(first, end);
        inside = false;
        if (vector.isEmpty()) {
            Arrays.fill(regions, 0, end, null);
        }
        return sent;
    }

    private boolean enter(int first, int end) {
        for (int i = first; i < end; i++) {
            if (regions[i] != null && !regions[i].enter()) {
                leave(first, i);
                return false;
            }
        }
        return true;
    }

    private void leave(int first, int end) {
        for (int i = first; i < end; i++) {
            if (regions[i] != null) {
                regions[i].leave();
            }
        }
    }

    /** Forgets what is left. */
    void clear() {
        vector.clear();
        Arrays.fill(regions, null);
    }
}
