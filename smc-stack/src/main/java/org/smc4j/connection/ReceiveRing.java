package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import org.smc4j.linkgroup.BufferMemory;
import org.smc4j.stream.Lane;
import org.smc4j.stream.SmcStream;

/**
 * Our RMBE: what the peer has written, until the application has read it. The lane is the reader's; whoever holds it may touch the
 * memory, of which the peer writes only what is not between the two cursors.
 */
final class ReceiveRing extends Lane {
    /** What {@link #receiveUrgent} says if there is no urgent byte. */
    static final int NO_URGENT_BYTE = -1;
    /** The kernel's lower bound of what is worth a window update (spec/30-cdc.md §6). */
    private static final int MIN_UPDATE = 2304;
    /** Switch offset of a connection that does not begin on TCP. */
    private static final long UNKNOWN = -1;

    private final Progress progress;
    private final MemorySegment memory;
    private final int size;
    private final int updateLimit;
    private final int preamble;
    private final SmcStream.UrgentMode urgentMode;
    private final ReceiveOverflow overflow = new ReceiveOverflow(BufferMemory.ofProcess());
    /** Bytes of TCP before the first one here; written in the lane. */
    private volatile long switchOffset = UNKNOWN;
    /** Position of the last urgent byte that was read as such; the lane. */
    private long urgentRead = Progress.NONE;
    // Also the lane.
    private long calls;
    private long fulls;

    ReceiveRing(Progress progress, MemorySegment memory, int preamble, SmcStream.UrgentMode urgentMode) {
        this.progress = progress;
        this.memory = memory;
        this.size = progress.receiveSize;
        this.updateLimit = Math.max(size / 10, MIN_UPDATE);
        this.preamble = preamble;
        this.urgentMode = urgentMode;
    }

    /**
     * @return bytes received, 0 if there are none now, {@link SmcStream#LOOK} if the lane is closed; then, and whenever
     *     {@link Progress#updateWanted} is set, the turn has something to do
     */
    int receive(MemorySegment target, long offset, int length) {
        if (!tryEnter() && !enter()) {
            return SmcStream.LOOK;
        }
        try {
            if (!isBegun()) {
                return 0;
            }
            if (overflow.size() > 0) {
                return length == 0 ? 0 : overflow.read(target, offset, length);
            }
            // Before the urgent byte is looked at: what is known of that is never less than what is read of this.
            long produced = progress.produced;
            boolean passed = skipUrgent(produced);
            long from = progress.consumed();
            int n = Math.min(length, readable(from, produced));
            if (n > 0) {
                calls++;
                if (produced - from == size) {
                    fulls++;
                }
                copyOut(from, target, offset, n);
                progress.consumedRelease(from + n);
                passed |= from == progress.urgentAt | skipUrgent(produced);
            }
            wantUpdateIfDue(passed);
            return n;
        } finally {
            leaveRelease();
        }
    }

    /**
     * Takes the urgent byte, which is not one of the stream.
     *
     * @return the byte, 0 to 255; or {@link #NO_URGENT_BYTE} if there is none, it was read or passed, or it is one of the stream
     */
    int receiveUrgent() {
        if (!enter()) {
            return NO_URGENT_BYTE;
        }
        try {
            if (!isUrgentValid() || urgentMode.inline()) {
                return NO_URGENT_BYTE;
            }
            int value = progress.urgentByte & 0xFF;
            urgentRead = progress.urgentAt;
            wantUpdateIfDue(skipUrgent(progress.produced));
            return value;
        } finally {
            leaveRelease();
        }
    }

    /** Whether an urgent byte was received and neither read nor passed (POLLPRI). */
    boolean hasUrgent() {
        if (!enter()) {
            return false;
        }
        try {
            return isUrgentValid();
        } finally {
            leaveRelease();
        }
    }

    /** Whether the next byte to read is the urgent one (SIOCATMARK). */
    boolean isAtMark() {
        return progress.urgentAt != Progress.NONE && progress.consumed() == progress.urgentAt && overflow.size() == 0;
    }

    /** Bytes of the stream that can be received, maybe by more than one call. */
    int available() {
        if (!enter()) {
            return 0;
        }
        try {
            return isBegun() ? unread() : 0;
        } finally {
            leaveRelease();
        }
    }

    /** Bytes of the stream that were not read; a snapshot. */
    int unread() {
        long produced = progress.produced;
        long consumed = Math.max(progress.consumed(), preamble);
        long urgent = progress.urgentAt;
        boolean apart = urgent >= consumed && urgent < produced && !urgentMode.inline();
        return overflow.size() + (int) Math.max(0, produced - consumed - (apart ? 1 : 0));
    }

    /** Bytes of TCP that precede the first byte here, -1 while the peer has not said. */
    long switchOffset() {
        if (switchOffset == UNKNOWN && preamble > 0 && enter()) {
            isBegun();
            leaveRelease();
        }
        return switchOffset;
    }

    /** Bytes of the stream that were read so far, urgent ones included. */
    long bytesReceived() {
        return Math.max(0, progress.consumed() - preamble - overflow.size());
    }

    /** Calls that received something. */
    long calls() {
        return calls;
    }

    /** Calls that found the ring full. */
    long fulls() {
        return fulls;
    }

    /** Bytes of the stream that have arrived so far, urgent ones included. */
    long bytesArrived() {
        return Math.max(0, progress.produced - preamble);
    }

    // -- For a reader that takes nothing --

    /** Whether the peer can write nothing before it hears that something was read. */
    boolean isWindowClosed() {
        return progress.produced - progress.consumedTold >= size;
    }

    /** Whether bytes were taken out of the ring that the reader has not got yet. */
    boolean isOverflowing() {
        return overflow.size() > 0;
    }

    /**
     * Takes all bytes out of the ring and keeps them elsewhere, so that the peer can go on. Not if an urgent byte is among them: for
     * that the peer is to wait until it is read.
     *
     * @return whether anything was taken out; the turn has something to do then
     */
    boolean relieve() {
        if (!enter()) {
            return false;
        }
        try {
            if (!isBegun()) {
                return false;
            }
            long produced = progress.produced;
            long from = progress.consumed();
            int n = (int) (produced - from);
            MemorySegment room = n == 0 || progress.urgentAt >= from || progress.urgentNotYet ? null : overflow.append(n);
            if (room == null) {
                return false;
            }
            copyOut(from, room, 0, n);
            progress.consumedRelease(produced);
            wantUpdateIfDue(true);
            return true;
        } finally {
            leaveRelease();
        }
    }

    /** Nobody reads any more, and the lane is closed. */
    void free() {
        overflow.free();
    }

    /** Whether the application's bytes can be read; reads what is in front of them. The lane is held. */
    private boolean isBegun() {
        if (preamble > 0 && switchOffset == UNKNOWN) {
            if (progress.produced < preamble) {
                return false;
            }
            switchOffset = memory.get(SendRing.PREAMBLE_LAYOUT, 0);
            progress.consumedRelease(preamble);
        }
        return true;
    }

    /** How many bytes one read may take: it ends before the urgent byte, and behind it. */
    private int readable(long from, long produced) {
        int all = (int) (produced - from);
        long urgent = progress.urgentAt;
        if (urgent < from) {
            return all;
        }
        return urgent == from ? Math.min(all, 1) : (int) Math.min(all, urgent - from);
    }

    /** Passes over an urgent byte that is not one of the stream; true if it was the next one. */
    private boolean skipUrgent(long produced) {
        long urgent = progress.urgentAt;
        if (progress.consumed() != urgent || urgent >= produced || urgentMode.inline() || overflow.size() > 0) {
            return false;
        }
        progress.consumedRelease(urgent + 1);
        return true;
    }

    private boolean isUrgentValid() {
        long urgent = progress.urgentAt;
        return urgent != Progress.NONE && urgent != urgentRead && !progress.urgentNotYet && progress.consumed() <= urgent + 1;
    }

    /** The rule of spec/30-cdc.md §6 for a consumer cursor without data. */
    private void wantUpdateIfDue(boolean forced) {
        long told = progress.consumedTold;
        long consumed = progress.consumed();
        long produced = progress.produced;
        boolean due = forced;
        if (consumed - told > updateLimit) {
            long free = size - (produced - told);
            due |= free <= size / 2 || progress.peerBlocked;
        }
        if (due) {
            progress.updateWanted = true;
        }
        if (consumed == produced) {
            progress.peerBlocked = false;
        }
    }

    private void copyOut(long from, MemorySegment target, long offset, int n) {
        int at = (int) (from % size);
        int first = Math.min(n, size - at);
        MemorySegment.copy(memory, at, target, offset, first);
        if (first < n) {
            MemorySegment.copy(memory, 0, target, offset + first, n - first);
        }
    }
}
