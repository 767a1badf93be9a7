package org.smc4j.connection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.stream.SmcStream;

/**
 * How a connection of SMC-R goes on when its last link is lost: over the TCP connection that it began on. No byte has gone there since
 * both directions left it, and either end knows where the other one did.
 *
 * <p>Each end writes a record there: how many bytes have arrived by SMC; one that is not sure that the peer knows where the record is to
 * be expected waits for the peer's, which knows then. When it has read the peer's it sends what the peer has not
 * got, and after that what the application writes. So the stream of the application is what the ring still holds, and then what comes
 * behind the record. Neither the RFC nor the kernel has anything of the kind, so this is between two agents only.
 *
 * <p>Nothing here blocks. {@link #step} is called by the scheduler until all of that is done, the rest by the application. Everything
 * is guarded by this object's monitor, which keeps the descriptor from being another file's: after the loss of a network nobody asks
 * for the last microsecond.
 */
public final class TcpContinuation {
    /** The bytes that TCP brought before the peer's switch, if the application has not read them. */
    public interface BytesBefore {
        /**
         * Takes them out of the way.
         *
         * @param fd     of the TCP connection
         * @param offset of the switch
         * @return how many are still to come, or a negated errno
         */
        long take(int fd, long offset);
    }

    /** Magic and count. */
    static final int RECORD = 16;
    private static final ValueLayout.OfLong FIELD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long MAGIC = 0x534D_4334_4A54_4350L;
    private static final int CLOSED = -1;
    private static final int CHUNK = 1 << 16;

    private final RdmaConnection connection;
    private final BytesBefore bytesBefore;
    private final Runnable changed;
    private final boolean speaksFirst;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment ourRecord = arena.allocate(RECORD, Long.BYTES);
    private final MemorySegment peerRecord = arena.allocate(RECORD, Long.BYTES);
    private int fd;
    private int recordSent;
    private int recordRead;
    /** Where the next byte is that the peer has not got, and how many there are. */
    private long next;
    private long unsent;
    /** The peer's record was read. */
    private boolean agreed;
    /** The peer has got, or TCP has, all that was written before. */
    private boolean caughtUp;
    private boolean outputEnds;
    private boolean closing;
    private int peerFlags;
    private long bytesSent;
    private long bytesReceived;

    /**
     * @param connection frozen
     * @param fd         a descriptor of the TCP connection, taken over
     * @param before     asked on the scheduler
     * @param changed    whoever waits is to look again
     */
    public TcpContinuation(RdmaConnection connection, int fd, BytesBefore before, Runnable changed) {
        this.connection = connection;
        this.fd = fd;
        bytesBefore = before;
        this.changed = changed;
        speaksFirst = connection.isSwitchKnown();
        ourRecord.set(FIELD, 0, MAGIC);
        ourRecord.set(FIELD, Long.BYTES, connection.bytesArrived());
    }

    // -- The way back to TCP --

    /**
     * Goes on as far as the peer lets it; by one thread at a time.
     *
     * @return false if there is more to do, later
     */
    public boolean step() {
        boolean over;
        synchronized (this) {
            if (!isOver() && speaksFirst) {
                sendRecord();
            }
            if (!isOver() && !agreed) {
                readRecord();
            }
            if (!isOver() && agreed) {
                sendRecord();
            }
            if (!isOver() && agreed) {
                catchUp();
            }
            over = isOver();
        }
        if (over) {
            connection.letGo();
            changed.run();
        }
        return over;
    }

    private boolean isOver() {
        return fd == CLOSED || caughtUp;
    }

    private void sendRecord() {
        if (recordSent < RECORD) {
            int n = Linux.sendNow(fd, ourRecord.address() + recordSent, RECORD - recordSent);
            recordSent += Math.max(0, n);
            checkSent(n);
        }
    }

    private void readRecord() {
        long before = bytesBefore.take(fd, connection.switchOffset());
        if (before != 0) {
            if (before < 0) {
                fail((int) before);
            }
            return;
        }
        int n = Linux.receiveNow(fd, peerRecord.address() + recordRead, RECORD - recordRead);
        if (n > 0) {
            recordRead += n;
            if (recordRead == RECORD) {
                agree();
            }
        } else if (!isTemporary(n)) {
            fail(n);
        }
    }

    private void agree() {
        next = peerRecord.get(FIELD, Long.BYTES);
        unsent = peerRecord.get(FIELD, 0) == MAGIC ? connection.unconfirmed(next) : -1;
        if (unsent < 0) {
            Log.warn("SMC-R: the ends of a connection that goes on over TCP do not agree, it is reset");
            fail(-Errno.ECONNRESET);
        } else {
            agreed = true;
        }
    }

    private void catchUp() {
        if (recordSent < RECORD) {
            return;
        }
        try (Arena chunk = Arena.ofConfined()) {
            MemorySegment buffer = chunk.allocate(Math.min(CHUNK, unsent));
            long urgent = connection.unconfirmedUrgent(next);
            while (unsent > 0) {
                int n = (int) Math.min(unsent, urgent == next ? 1 : urgent > next ? Math.min(CHUNK, urgent - next) : CHUNK);
                connection.copyUnconfirmed(next, buffer, 0, n);
                int sent = urgent == next ? Linux.sendUrgentNow(fd, buffer.get(ValueLayout.JAVA_BYTE, 0))
                        : Linux.sendNow(fd, buffer.address(), n);
                if (sent <= 0) {
                    checkSent(sent);
                    return;
                }
                next += sent;
                unsent -= sent;
            }
        }
        caughtUp = true;
        if (closing) {
            end();
        } else if (outputEnds) {
            Linux.shutdownOutput(fd);
        }
    }

    private void checkSent(int result) {
        if (result < 0 && !isTemporary(result)) {
            fail(result);
        }
    }

    /** TCP is of no use either, or the peer has closed and has not said what it has got. */
    private void fail(int result) {
        Log.info("SMC-R: a connection cannot go on over TCP: " + (result == 0 ? "the peer has closed it" : Errno.describe(result)));
        note(result);
        Linux.resetAtClose(fd);
        end();
        connection.hangUp();
    }

    private void end() {
        Linux.close(fd);
        fd = CLOSED;
    }

    private static boolean isTemporary(int result) {
        return result == -Errno.EAGAIN || result == -Errno.EINTR;
    }

    /** What the result of a call says of the peer, as connection state flags. */
    private void note(int result) {
        switch (result) {
            case 0 -> peerFlags |= SmcStream.PEER_DONE_WRITING;
            case -Errno.EAGAIN, -Errno.EINTR -> { }
            // Who has ended the stream in order before may be read to its end; a write finds no reader.
            case -Errno.EPIPE -> peerFlags |= SmcStream.PEER_DONE_WRITING | SmcStream.PEER_CONN_ABORT;
            default -> peerFlags |= SmcStream.PEER_CONN_ABORT;
        }
    }

    // -- For the application --

    /** @return bytes taken, 0 if there is no space, or {@link SmcStream#LOOK}; the source is native memory */
    public synchronized int send(MemorySegment source, long offset, int length) {
        return isSending() ? sent(Linux.sendNow(fd, source.address() + offset, length)) : refused();
    }

    public synchronized int sendUrgent(byte value) {
        return isSending() ? sent(Linux.sendUrgentNow(fd, value)) : refused();
    }

    private boolean isSending() {
        return fd != CLOSED && caughtUp && !outputEnds && !closing;
    }

    private int refused() {
        return fd == CLOSED || outputEnds || closing ? SmcStream.LOOK : 0;
    }

    private int sent(int n) {
        if (n > 0) {
            bytesSent += n;
            return n;
        }
        note(n == 0 ? -Errno.EAGAIN : n);
        return n == 0 || isTemporary(n) ? 0 : SmcStream.LOOK;
    }

    /** @return bytes received, or 0; the target is native memory */
    public synchronized int receive(MemorySegment target, long offset, int length) {
        if (fd == CLOSED || !agreed || length == 0) {
            return 0;
        }
        int n = Linux.receiveNow(fd, target.address() + offset, length);
        if (n > 0) {
            bytesReceived += n;
            return n;
        }
        note(n);
        return 0;
    }

    /** Bytes that can be received; looks for the end of the stream if there are none. */
    public synchronized int available() {
        if (fd == CLOSED || !agreed) {
            return 0;
        }
        int available = Math.max(0, Linux.available(fd));
        if (available == 0) {
            int n = Linux.peekNow(fd, peerRecord.address(), 1);
            if (n > 0) {
                return n;
            }
            note(n);
        }
        return available;
    }

    public synchronized boolean isWritable() {
        return isSending() && Linux.isReady(fd, Linux.POLLOUT);
    }

    public synchronized int peerFlags() {
        return peerFlags;
    }

    /** Bytes that were written before the last link was lost, and that TCP has not taken yet. */
    public synchronized int unsent() {
        return fd == CLOSED || caughtUp ? 0 : agreed ? (int) unsent : connection.unconsumed();
    }

    public synchronized long bytesSent() {
        return bytesSent;
    }

    public synchronized long bytesReceived() {
        return bytesReceived;
    }

    /** The application writes nothing more. */
    public synchronized void endOutput() {
        if (!outputEnds) {
            outputEnds = true;
            if (caughtUp && fd != CLOSED) {
                Linux.shutdownOutput(fd);
            }
        }
    }

    /** The application has no use for the connection; what it has written before is still sent, unless it is a reset. */
    public synchronized void close(boolean reset) {
        closing = true;
        if (fd != CLOSED && (reset || caughtUp)) {
            if (reset) {
                Linux.resetAtClose(fd);
            }
            end();
        }
    }
}
