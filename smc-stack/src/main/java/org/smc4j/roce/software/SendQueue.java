package org.smc4j.roce.software;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;

/**
 * The requests of a queue pair from the moment they are posted until they complete: acknowledged ones first, then those of which
 * packets were given out, then those that wait. Positions count requests since the beginning. All under the queue pair's send
 * lock, except for {@link #reclaim}.
 */
final class SendQueue {
    /** Told of completions; the send lock is held. */
    interface Completer {
        void completeSend(long position, long id, int status);
    }

    private final SoftwareProtectionDomain domain;
    private final Completer completer;
    private final SendRequest[] ring;
    private final int maxInline;
    /** The inline bytes of slot i are at i × {@link #maxInline}; one arena for all, which ends with the queue pair. */
    private final Arena arena = Arena.ofShared();
    private final MemorySegment inlineBytes;

    private long posted;
    private long acknowledged;
    /** The request that the next packet is of, and the bytes of it that were given out. */
    private long current;
    private int offset;
    private int nextPsn;
    private int packetLength;
    /** Why the current request can never be sent; it fails once all before it are acknowledged. */
    private int obstacle = Completions.SUCCESS;
    /** The request that {@link #obstacleToMeet} hits, counted as {@link #posted}; -1 if none. */
    private long obstacleAt = -1;
    private int obstacleToMeet;
    /** Requests up to here were seen completed by the poller: their slots can be used again. Release and acquire. */
    private volatile long reclaimed;

    SendQueue(SoftwareProtectionDomain domain, Completer completer, int capacity, int maxInline) {
        this.domain = domain;
        this.completer = completer;
        this.maxInline = maxInline;
        ring = new SendRequest[capacity];
        for (int i = 0; i < capacity; i++) {
            ring[i] = new SendRequest();
        }
        inlineBytes = arena.allocate(Math.max(1, (long) capacity * maxInline), 8);
    }

    int maxInline() {
        return maxInline;
    }

    /**
     * Before the first packet is given out.
     *
     * @param initialPsn of the first packet
     * @param mostBytes  of a packet
     */
    void begin(int initialPsn, int mostBytes) {
        nextPsn = initialPsn;
        packetLength = mostBytes;
    }

    /** The slot of a new request, to be filled and {@link #commit}ted; null if the queue is full. */
    SendRequest claim() {
        return posted - reclaimed < ring.length ? slot(posted) : null;
    }

    /** Posts what was claimed; 0, or EINVAL if its inline bytes cannot be taken. */
    int commit(SendRequest request) {
        if ((request.flags & QueuePair.INLINE) != 0 && !takeInline(request)) {
            return -Errno.EINVAL;
        }
        posted++;
        return 0;
    }

    private boolean takeInline(SendRequest request) {
        if (request.length > maxInline) {
            return false;
        }
        long start = posted % ring.length * maxInline;
        long target = start;
        for (int i = 0; i < request.pieces; i++) {
            int length = request.lengths[i];
            Region region = domain.enterLocal(request.lkeys[i], request.addresses[i], length);
            if (region == null) {
                return false;
            }
            MemorySegment.copy(Payload.MEMORY, request.addresses[i], inlineBytes, target, length);
            region.leave();
            target += length;
        }
        request.addresses[0] = inlineBytes.address() + start;
        request.lengths[0] = request.length;
        request.pieces = 1;
        return true;
    }

    /** Requests that were posted so far. */
    long posted() {
        return posted;
    }

    /** Requests that are acknowledged or flushed so far. */
    long acknowledged() {
        return acknowledged;
    }

    /** The PSN of the packet that is given out next. */
    int nextPsn() {
        return nextPsn;
    }

    /** Whether there are requests that have not completed. */
    boolean isIncomplete() {
        return acknowledged < posted;
    }

    /** Whether packets were given out that are not acknowledged. */
    boolean hasUnacknowledged() {
        return acknowledged < current || offset > 0;
    }

    /** Whether there are packets to give out of requests before {@code limit}. */
    boolean hasNext(long limit) {
        return current < Math.min(limit, posted) && obstacle == Completions.SUCCESS;
    }

    /** Whether the request at hand can never be sent and all before it are acknowledged; {@link #flush} it with this status. */
    int obstacle() {
        return acknowledged == current ? obstacle : Completions.SUCCESS;
    }

    /** Makes the {@code nth} request from now on, 1 being the next that is posted, fail with a status when its turn comes. */
    void obstruct(long nth, int status) {
        obstacleAt = posted + nth - 1;
        obstacleToMeet = status;
    }

    /**
     * Gives out the next packet of a request before {@code limit}, with its payload, whose memory the caller lets go.
     *
     * @return false if there is none, or the request can never be sent: see {@link #obstacle}
     */
    boolean next(long limit, Packet packet, Payload payload) {
        if (!hasNext(limit)) {
            return false;
        }
        SendRequest request = slot(current);
        if (current == obstacleAt && offset == 0 && !request.begun) {
            obstacle = obstacleToMeet;
            return false;
        }
        int length = Math.min(packetLength, request.length - offset);
        if (!gather(request, length, payload)) {
            obstacle = Completions.LOCAL_PROTECTION_ERROR;
            return false;
        }
        if (offset == 0) {
            request.begun = true;
            request.firstPsn = nextPsn;
        }
        packet.opcode = request.opcode;
        packet.first = offset == 0;
        packet.last = offset + length == request.length;
        packet.solicited = packet.last && (request.flags & QueuePair.SOLICITED) != 0;
        packet.unsignaled = (request.flags & QueuePair.SIGNALED) == 0;
        packet.psn = nextPsn;
        packet.remoteAddress = request.remoteAddress;
        packet.rkey = request.rkey;
        packet.length = length;
        packet.requestLength = request.length;
        advance(request, packet);
        return true;
    }

    private void advance(SendRequest request, Packet packet) {
        nextPsn = Psn.next(nextPsn);
        if (packet.last) {
            request.lastPsn = packet.psn;
            current++;
            offset = 0;
        } else {
            offset += packet.length;
        }
    }

    /** Enters the memory of {@code length} bytes of the request from {@link #offset} on; false if it may not be read. */
    private boolean gather(SendRequest request, int length, Payload payload) {
        int skip = offset;
        int left = length;
        for (int i = 0; i < request.pieces && left > 0; i++) {
            int here = Math.min(request.lengths[i] - skip, left);
            if (here <= 0) {
                skip -= request.lengths[i];
                continue;
            }
            long address = request.addresses[i] + skip;
            Region region = null;
            if ((request.flags & QueuePair.INLINE) == 0) {
                region = domain.enterLocal(request.lkeys[i], address, here);
                if (region == null) {
                    payload.leave();
                    return false;
                }
            }
            payload.add(region, address, here);
            left -= here;
            skip = 0;
        }
        return true;
    }

    /** Whether a packet with that PSN was given out and is not acknowledged. */
    boolean isOutstanding(int psn) {
        return hasUnacknowledged() && Psn.distance(slot(acknowledged).firstPsn, psn) >= 0 && Psn.distance(psn, nextPsn) > 0;
    }

    /**
     * Completes the requests whose packets the peer has taken up to this PSN.
     *
     * @return the number of requests; -1 if no packet with that PSN waits for this
     */
    int acknowledge(int psn) {
        if (!isOutstanding(psn)) {
            return -1;
        }
        long before = acknowledged;
        while (acknowledged < current && Psn.distance(slot(acknowledged).lastPsn, psn) >= 0) {
            SendRequest request = slot(acknowledged);
            if ((request.flags & QueuePair.SIGNALED) != 0) {
                completer.completeSend(acknowledged, request.id, Completions.SUCCESS);
            }
            acknowledged++;
        }
        return (int) (acknowledged - before);
    }

    /** Starts again with the first request that is not acknowledged. */
    void rewind() {
        if (hasUnacknowledged()) {
            // Met again once all before it are sent again.
            obstacle = Completions.SUCCESS;
            current = acknowledged;
            offset = 0;
            nextPsn = slot(acknowledged).firstPsn;
        }
    }

    /** Completes everything: the first request with {@code firstStatus}, the others as flushed. */
    void flush(int firstStatus) {
        int status = firstStatus;
        while (acknowledged < posted) {
            completer.completeSend(acknowledged, slot(acknowledged).id, status);
            acknowledged++;
            status = Completions.FLUSH_ERROR;
        }
        current = posted;
        offset = 0;
    }

    /** The slots up to this position can be used again. Called by whoever polls. */
    void reclaim(long position) {
        reclaimed = position + 1;
    }

    private SendRequest slot(long position) {
        return ring[(int) (position % ring.length)];
    }

    void close() {
        arena.close();
    }
}
