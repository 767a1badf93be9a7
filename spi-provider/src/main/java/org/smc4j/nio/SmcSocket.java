package org.smc4j.nio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.sideband.Endpoint;
import org.smc4j.stream.SmcStream;
import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketHandle;
import sun.nio.ch.SocketHooks;

/**
 * A connected TCP socket of the application, from connect or accept until close.
 *
 * <p>Each direction has its own state, which only grows: TCP, ATTACHED (the ring is there, TCP still holds bytes that precede
 * it), SWITCHED. The sender switches in the first write after both ends are attached and says at which byte of TCP; the
 * receiver follows when it has read that far. Nothing is ever put on the TCP stream that the application did not write.
 *
 * <p>Locking: the JDK calls the read methods under its read lock and the write methods under its write lock, and fields say
 * which of the two guards them. {@code this} is held to attach, detach and close, never while waiting.
 */
final class SmcSocket extends SocketHandle implements Endpoint {
    static final int TCP = 0;
    static final int ATTACHED = 1;
    static final int SWITCHED = 2;

    /** Nothing known yet: no handshake has ended. */
    static final int UNDECIDED = 0;

    private static final int YIELDS_OF_A_STREAM = 8;

    private static final int SHUT_RD = 0;
    private static final int SHUT_WR = 1;
    private static final int POLLIN = SocketHooks.pollIn();
    private static final int POLLOUT = SocketHooks.pollOut();
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** A server does not wait for longer for a Proposal that may never come. */
    private static final long STRANGER_NANOS = 100 * NANOS_PER_MILLI;

    private final SmcSockets sockets;
    private final int fd;
    private final boolean client;

    // Grown by attach (this) from TCP, by the reader (read lock) or writer (write lock) from ATTACHED.
    private volatile int readState;
    private volatile int writeState;
    private volatile SmcStream stream;  // written under this
    private volatile boolean ready;     // written under this
    private volatile boolean closed;    // written under this
    private volatile boolean preClosed;
    private volatile boolean inputShut;
    private volatile boolean outputShut;
    private volatile int reasonCode;
    private volatile boolean proposed;
    // System.nanoTime, 0 before the first transfer: the limit is one for all of a connection's transfers together.
    private volatile long decisionDeadline;

    private volatile boolean tcpEnded;  // written under the read lock
    private long tcpSent;               // write lock; of others once they have found tcpWriting false
    private boolean urgentOnTcp;        // likewise
    // Set by the writer before it looks at ready, so whoever sets that knows whether a write of TCP may be under way.
    private volatile boolean tcpWriting;
    private boolean resetSeen;          // either lock: worst case the reset is shown twice, as TCP may too
    private boolean oneWriteLost;       // write lock

    private final TcpRest tcpRest;
    private final NativeReader nativeReader = new NativeReader();
    private volatile Thread parkedReader;
    private volatile Thread parkedWriter;
    private volatile boolean doorbellWatched;
    private volatile boolean stallWatched;
    private final Object doorbellLock = new Object();
    private int doorbellWatchers;       // doorbellLock

    private final Patience readPatience;
    private final Patience writePatience;
    private final long createdNanos = System.nanoTime();
    // Set once before the sideband can find the socket.
    private InetSocketAddress peer;
    private int localPort;

    SmcSocket(SmcSockets sockets, int fd, boolean client) {
        this.sockets = sockets;
        this.fd = fd;
        this.client = client;
        tcpRest = new TcpRest(fd);
        this.readPatience = new Patience(sockets);
        this.writePatience = new Patience(sockets);
    }

    // -- Reading: the JDK holds its read lock --

    @Override
    public int read(long address, int length) throws IOException {
        int state = readState;
        if (state == TCP) {
            awaitDecision();
            nativeReader.enter();
            if (readState == TCP) {
                return PROCEED;
            }
            nativeReader.leave();
            state = ATTACHED;
        }
        if (state == ATTACHED) {
            int n = readAttached(address, length);
            if (n != 0) {
                return n;
            }
            readState = SWITCHED;
            lookBehindSwitch();
        }
        int n = stream.receive(NativeMemory.ALL, address, length);
        return n > 0 ? n : readNothing(address, length);
    }

    /** Reads what still comes by TCP; 0 if the ring is next. */
    private int readAttached(long address, int length) throws IOException {
        int n = tcpRest.receive(stream, address, length);
        if (n > 0) {
            return n;
        }
        long switchOffset = stream.switchOffset();
        if (switchOffset >= 0 && tcpRest.received() >= switchOffset) {
            return 0;
        }
        return switch (n) {
            case 0 -> readTcpEnd();
            case -Errno.EAGAIN, -Errno.EINTR -> {
                if (!inputShut && isLost(stream)) {
                    throw reset();
                }
                yield inputShut ? EOF : UNAVAILABLE;
            }
            case -Errno.ECONNRESET, -Errno.EPIPE -> throw reset();
            default -> preClosed ? UNAVAILABLE : failedRead(n);
        };
    }

    /** Whether the peer may have left TCP for a link that is lost, and this end will never know. */
    private boolean isLost(SmcStream current) {
        return current.mayReturnToTcp() && current.isGone() && reasonCode == UNDECIDED;
    }

    /** TCP has ended, and the peer's switch was not known a moment ago. */
    private int readTcpEnd() throws IOException {
        tcpEnded = true;
        if (inputShut || isEndKnown(stream)) {
            return stream.switchOffset() == tcpRest.received() ? 0 : readEnd();
        }
        return UNAVAILABLE;
    }

    /** Whether the peer has said all that it has to say of its switch; one that this end was detached from never switches. */
    private boolean isEndKnown(SmcStream current) {
        return !current.canLagBehindTcp() || current.peerFlags() != 0 || current.isGone() || reasonCode != UNDECIDED;
    }

    /** TCP has ended before the peer switched; if our bytes in its ring were lost with it, TCP would have shown a reset. */
    private int readEnd() throws IOException {
        if (isReset(stream.peerFlags(), stream)) {
            throw reset();
        }
        return EOF;
    }

    private IOException reset() {
        resetSeen = true;
        return SocketHooks.connectionReset();
    }

    private static int failedRead(int result) throws IOException {
        throw new IOException("Read failed (" + Errno.describe(result) + ")");
    }

    /** The ring gave nothing: why? What the peer wrote before its end comes before the end, as with TCP. */
    private int readNothing(long address, int length) throws IOException {
        SmcStream current = stream;
        if (preClosed || closed) {
            return UNAVAILABLE;
        }
        if (inputShut) {
            return EOF;
        }
        int flags = current.peerFlags();
        if (flags == 0 && !current.isGone()) {
            return UNAVAILABLE;
        }
        if (!current.isBroken()) {
            int n = current.receive(NativeMemory.ALL, address, length);
            if (n > 0) {
                return n;
            }
        }
        if (isReset(flags, current)) {
            throw reset();
        }
        return EOF;
    }

    private static boolean isReset(int flags, SmcStream stream) {
        // A peer that shuts down its output before it resets (java.net.Socket does) has sent a FIN first: reads see an end.
        boolean orderly = (flags & (SmcStream.PEER_CONN_CLOSED | SmcStream.PEER_DONE_WRITING)) != 0;
        return stream.isBroken() || (flags & SmcStream.PEER_CONN_ABORT) != 0 && !orderly
                || stream.isHungUp() && !orderly && stream.unconsumed() > 0;
    }

    @Override
    public long readDone(long n) {
        nativeReader.leave();
        if (n > 0) {
            tcpRest.add(n);
            proposeWhenDue();
        }
        // Attached while the read was on its way into the kernel: the peer may have switched, written and closed since, so the
        // end of TCP need not be that of the stream. The next read finds out.
        return n == EOF && stream != null && !inputShut ? UNAVAILABLE : n;
    }

    @Override
    public boolean isReadSwitched() {
        return readState == SWITCHED;
    }

    @Override
    public int readQuickly(MemorySegment target, long offset, int length) {
        if (inputShut || preClosed) {
            return 0;
        }
        return Math.max(0, stream.receive(target, offset, length));
    }

    @Override
    public int available() {
        if (readState == TCP) {
            return PROCEED;
        }
        SmcStream current = stream;
        if (readState == SWITCHED) {
            return current.available();
        }
        int tcp = tcpRest.available(current);
        return tcp == 0 && current.switchOffset() == tcpRest.received() ? current.available() : tcp;
    }

    @Override
    public long takeTcp(int open, long offset) {
        return readState == SWITCHED ? 0 : tcpRest.take(open, offset);
    }

    /** TCP brings nothing behind the peer's switch, unless the peer has gone back to it. */
    private void lookBehindSwitch() {
        SmcStream current = stream;
        if (!current.mayReturnToTcp()) {
            return;
        }
        boolean behind;
        synchronized (this) {
            // Not if the descriptor may be another socket's.
            behind = !closed && tcpRest.isBehind(current.switchOffset());
        }
        if (behind) {
            current.peerReturnedToTcp();
        }
    }

    // -- Writing: the JDK holds its write lock --

    @Override
    public int write(long address, int length) throws IOException {
        if (writeState != SWITCHED) {
            awaitDecision();
            tcpWriting = true;
            if (!switchWrites()) {
                return PROCEED;
            }
            tcpWriting = false;
        }
        if (outputShut) {
            throw new IOException("Broken pipe");
        }
        SmcStream current = stream;
        int n = current.send(NativeMemory.ALL, address, length);
        if (n == length) {
            return n;
        }
        if (n < 0 || n == 0 && current.isGone()) {
            return writeNothing(current, length);
        }
        watchForStall();
        if (n > 0 && !Linux.isNonBlocking(fd)) {
            n = writeRest(current, address, length, n);
        }
        return n == 0 ? UNAVAILABLE : n;
    }

    /** A blocking write of TCP ends when all bytes are taken; callers of the JDK's blocking channel rely on it. */
    private int writeRest(SmcStream current, long address, int length, int done) {
        int total = done;
        while (total < length && !preClosed && !closed && !outputShut) {
            int n = current.send(NativeMemory.ALL, address + total, length - total);
            if (n < 0 || n == 0 && current.isGone()) {
                // The error is for the next write.
                break;
            }
            total += n;
            if (n == 0) {
                waitFor(current, false, 0);
            }
        }
        return total;
    }

    /** Leaves TCP if both ends can; false if this write is still TCP's. */
    private boolean switchWrites() {
        if (!ready || urgentOnTcp || outputShut) {
            return false;
        }
        synchronized (this) {
            return switchNow();
        }
    }

    /** With this object's monitor, by the writer or while no write of TCP is under way. */
    private boolean switchNow() {
        if (closed || !ready) {
            return false;
        }
        if (writeState != SWITCHED && stream.publishSwitch(tcpSent)) {
            writeState = SWITCHED;
        }
        return writeState == SWITCHED;
    }

    /** The peer has gone: the errors of a TCP socket, in TCP's order. */
    private int writeNothing(SmcStream current, int length) throws IOException {
        if (preClosed || closed) {
            return UNAVAILABLE;
        }
        int flags = current.peerFlags();
        if (!resetSeen && isReset(flags, current)) {
            resetSeen = true;
            throw new IOException("Connection reset by peer");
        }
        if (!oneWriteLost && !resetSeen && (flags & SmcStream.PEER_CONN_ABORT) == 0) {
            // TCP accepts one write to a socket that the peer has closed; its answer is the reset that the next one meets.
            oneWriteLost = true;
            return length;
        }
        throw new IOException("Broken pipe");
    }

    @Override
    public void writeDone(long n) {
        if (n > 0) {
            tcpSent += n;
            proposeWhenDue();
        }
        tcpWriting = false;
        if (ready && stream.mayReturnToTcp()) {
            // Whoever has made it ready found this write under way.
            switchWrites();
        }
    }

    @Override
    public boolean isWriteSwitched() {
        return writeState == SWITCHED;
    }

    @Override
    public int writeQuickly(MemorySegment source, long offset, int length, ReentrantLock writeLock) {
        return outputShut || preClosed ? 0 : Math.max(0, stream.sendWhole(source, offset, length, writeLock));
    }

    @Override
    public int writeUrgent(byte value) throws IOException {
        tcpWriting = writeState != SWITCHED;
        if (tcpWriting && !switchWrites()) {
            // For good. The receiver may not count the byte as one of the stream, so the offset of a switch could not be agreed on.
            urgentOnTcp = true;
            return PROCEED;
        }
        SmcStream current = stream;
        int n = current.sendUrgent(value);
        if (n > 0) {
            return n;
        }
        return n == 0 && !current.isGone() ? UNAVAILABLE : writeNothing(current, 1);
    }

    @Override
    public boolean divertsTransfer() {
        awaitDecision();
        tcpWriting = writeState != SWITCHED;
        return ready;
    }

    @Override
    public boolean inline() {
        return Linux.getSocketOption(fd, Linux.SOL_SOCKET, Linux.SO_OOBINLINE) > 0;
    }

    // -- Waiting --

    @Override
    public int poll(int event, long millis) {
        SmcStream current = stream;
        if (current == null) {
            if (event == POLLIN) {
                nativeReader.enter();
                if (stream == null) {
                    return PROCEED;
                }
                nativeReader.leave();
            } else {
                return PROCEED;
            }
            current = stream;
        }
        waitFor(current, event == POLLIN, millis < 0 ? 0 : Math.max(1, millis * NANOS_PER_MILLI));
        return 0;
    }

    /** Blocks the native thread until the event, a signal, a wake-up, or for {@code nanos} (0: without limit). */
    private void waitFor(SmcStream current, boolean forRead, long nanos) {
        if (isDone(forRead) || isDoneSoon(forRead)) {
            return;
        }
        if (forRead) {
            current.armData(false);
            if (!isDone(true)) {
                current.sleepForData(nanos);
            }
            current.disarmData();
        } else {
            current.armSpace(false);
            if (!isDone(false)) {
                current.sleepForSpace(nanos);
            }
            current.disarmSpace();
        }
    }

    /** Somebody waits for space: it may be one half of a deadlock. */
    void watchForStall() {
        SmcStream current = stream;
        if (!stallWatched && writesLeaveTcp() && current.canOverflow() && sockets.overflows()) {
            stallWatched = true;
            sockets.retry(new StallWatch(this, current));
        }
    }

    void stallWatchEnded(SmcStream current) {
        stallWatched = false;
        if (!current.isOverflowAllowed() && !current.isWritable() && !current.isGone() && !current.isClosed()) {
            // A writer that met the full ring while the watch was ending counted on it.
            watchForStall();
        }
    }

    /** The peer takes nothing: what does not fit goes into the overflow area, and whoever waits for space has it. */
    void relieveStall() {
        SmcStream current = stream;
        current.allowOverflow();
        current.wakeSelf();
        unpark();
    }

    @Override
    public void pollDone(int event) {
        if (event == POLLIN) {
            nativeReader.leave();
        }
    }

    @Override
    public boolean parkVirtual(int event, long nanos) {
        SmcStream current = stream;
        if (current == null) {
            return false;
        }
        boolean forRead = event == POLLIN;
        if (isDone(forRead) || isDoneSoon(forRead)) {
            return true;
        }
        watchDoorbell();
        Thread thread = Thread.currentThread();
        if (forRead) {
            parkedReader = thread;
            current.armData(true);
        } else {
            parkedWriter = thread;
            current.armSpace(true);
        }
        if (!isDone(forRead)) {
            if (nanos > 0) {
                LockSupport.parkNanos(this, nanos);
            } else {
                LockSupport.park(this);
            }
        }
        if (forRead) {
            parkedReader = null;
        } else {
            parkedWriter = null;
        }
        return true;
    }

    @Override
    public boolean isAttached() {
        return stream != null;
    }

    private synchronized void watchDoorbell() {
        if (!doorbellWatched && !closed) {
            doorbellWatched = true;
            watchersChanged(1);
            sockets.wakeups().watchDoorbell(stream.ownDoorbell(), this);
        }
    }

    /** Somebody waits for the doorbell from now on, or does no longer; in its own name, before it asks for it. */
    void watchersChanged(int change) {
        synchronized (doorbellLock) {
            doorbellWatchers += change;
        }
    }

    /** The only one who waits for the doorbell looks by itself from now on: the peer need not ring. */
    void silenceDoorbell() {
        synchronized (doorbellLock) {
            if (doorbellWatchers == 1) {
                stream.disarmEvents();
            }
        }
    }

    @Override
    public void stopPoll() {
        unpark();
    }

    /** Makes virtual threads that wait look again. */
    void unpark() {
        LockSupport.unpark(parkedReader);
        LockSupport.unpark(parkedWriter);
    }

    /** Whether it is worth while to look again before the thread sleeps, and was. */
    private boolean isDoneSoon(boolean forRead) {
        Patience patience = forRead ? readPatience : writePatience;
        long end = patience.begin();
        if (end == 0) {
            return false;
        }
        if (forRead && stream.receivesStream()) {
            // Let some messages come together: that is a few microseconds, and nobody waits for an answer.
            for (int i = 0; i < YIELDS_OF_A_STREAM; i++) {
                Thread.yield();
            }
        }
        do {
            for (int i = patience.looks(); i > 0; i--) {
                if (isDone(forRead)) {
                    patience.paid(end);
                    return true;
                }
            }
        } while (patience.lasts(end));
        return false;
    }

    private boolean isDone(boolean forRead) {
        return preClosed || closed || (forRead ? isReadable() : isSendable());
    }

    /** Whether a read would not be told to wait. */
    boolean isReadable() {
        SmcStream current = stream;
        if (current == null || readState == TCP) {
            return SocketHooks.isTcpReady(fd, POLLIN);
        }
        if (readState == ATTACHED) {
            long switchOffset = current.switchOffset();
            if (switchOffset < 0 || switchOffset > tcpRest.received()) {
                return inputShut || tcpRest.isKept() || isLost(current) || (tcpEnded ? isEndKnown(current) : SocketHooks.isTcpReady(fd, POLLIN));
            }
        }
        return current.available() > 0 || inputShut || current.isGone() || current.peerFlags() != 0;
    }

    private boolean isSendable() {
        SmcStream current = stream;
        return writesLeaveTcp() ? current.hasSpace() || isWriteOver(current) : SocketHooks.isTcpReady(fd, POLLOUT);
    }

    /** Whether a selector should report the socket as writable. */
    boolean isWritable() {
        SmcStream current = stream;
        return writesLeaveTcp() ? current.isWritable() || isWriteOver(current) : SocketHooks.isTcpReady(fd, POLLOUT);
    }

    private boolean writesLeaveTcp() {
        return writeState == SWITCHED || ready && !urgentOnTcp && !outputShut;
    }

    private boolean isWriteOver(SmcStream current) {
        return outputShut || current.isGone()
                || (current.peerFlags() & (SmcStream.PEER_CONN_CLOSED | SmcStream.PEER_CONN_ABORT)) != 0;
    }

    // -- Shutdown and close --

    @Override
    public boolean shutdown(int how) {
        SmcStream current;
        boolean leaveTcpAlone;
        synchronized (this) {
            current = stream;
            if (how == SHUT_RD) {
                inputShut = true;
                leaveTcpAlone = current != null;
            } else {
                outputShut = true;
                leaveTcpAlone = writeState == SWITCHED;
            }
        }
        if (how == SHUT_WR && (leaveTcpAlone || current != null && current.canLagBehindTcp())) {
            current.publishFlags(SmcStream.PEER_DONE_WRITING);
        }
        if (current != null) {
            current.wakeSelf();
            unpark();
        }
        return leaveTcpAlone;
    }

    @Override
    public void preClose() {
        preClosed = true;
        decided();
        SmcStream current = stream;
        if (current != null) {
            current.keepTcp();
            current.wakeSelf();
        }
        unpark();
    }

    @Override
    public void close() {
        SmcStream current;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            decided();
            current = stream;
        }
        HandleTable.remove(fd, this);
        if (current != null) {
            current.keepTcp();
            // As TCP: what was not read is lost, and the peer has to know; so it does after SO_LINGER with 0 seconds.
            boolean abort = Linux.linger(fd) == 0 || current.unread() > 0
                    || readState != SWITCHED && (preClosed ? tcpRest.isKept() : tcpRest.available(current) > 0);
            int done = outputShut || !abort ? SmcStream.PEER_DONE_WRITING : 0;
            current.publishFlags((abort ? SmcStream.PEER_CONN_ABORT : SmcStream.PEER_CONN_CLOSED) | done);
        }
        sockets.closed(this, current);
        unpark();
    }

    // -- The handshake --

    void proposeWhenDue() {
        if (client && !proposed && tcpRest.received() + tcpSent >= sockets.switchAfterBytes()) {
            proposed = true;
            sockets.propose(this);
        }
    }

    /** Where configured, the first transfers wait for a handshake under way; an interrupt ends that. */
    private void awaitDecision() {
        long limit = sockets.switchWaitNanos();
        if (limit == 0 || isDecided() || client && !proposed) {
            return;
        }
        if (decisionDeadline == 0) {
            decisionDeadline = System.nanoTime() + limit;
        }
        synchronized (this) {
            while (!isDecided()) {
                long left = decisionDeadline - System.nanoTime();
                if (!proposed) {
                    left = Math.min(left, createdNanos + STRANGER_NANOS - System.nanoTime());
                }
                if (left <= 0) {
                    return;
                }
                try {
                    wait(left / NANOS_PER_MILLI, (int) (left % NANOS_PER_MILLI));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private boolean isDecided() {
        return reasonCode != UNDECIDED || ready || closed || preClosed;
    }

    /** Called where a term of {@link #isDecided} has become true. */
    private synchronized void decided() {
        notifyAll();
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public boolean isSwitchable() {
        return !closed && !preClosed && !inputShut && !outputShut && stream == null;
    }

    @Override
    public void handshaking() {
        proposed = true;
    }

    @Override
    public boolean attach(SmcStream newStream) {
        synchronized (this) {
            if (!isSwitchable() || !sockets.canWatch()) {
                return false;
            }
            stream = newStream;
            readState = ATTACHED;
            sockets.attached(this, newStream);
        }
        wakeEverybody(newStream);
        return true;
    }

    @Override
    public void ready() {
        synchronized (this) {
            if (closed || stream == null) {
                return;
            }
            ready = true;
            if (stream.mayReturnToTcp() && !tcpWriting && !urgentOnTcp && !outputShut) {
                switchNow();
            }
            decided();
        }
        wakeEverybody(stream);
    }

    @Override
    public void detach(int code) {
        SmcStream current;
        synchronized (this) {
            current = stream;
            if (closed || current == null || readState != ATTACHED) {
                return;
            }
            // The ring stays unused beneath; reads go on from TCP until the end, as nobody will ever switch.
            ready = false;
            sockets.statistics().detached(client, current);
            declined(code);
        }
        wakeEverybody(current);
    }

    /** Whoever waits on the TCP socket must wait on the stream from now on. */
    private void wakeEverybody(SmcStream current) {
        sockets.interruptWhileNativeRead(this);
        SocketHooks.unparkJdkPoller(fd);
        current.wakeSelf();
        unpark();
    }

    @Override
    public void returnedToTcp(int code) {
        reasonCode = code;
        sockets.statistics().fallback(code);
    }

    @Override
    public void declined(int code) {
        reasonCode = code;
        decided();
        sockets.statistics().fallback(code);
    }

    @Override
    public void peerDied() {
        SmcStream current = stream;
        if (current != null) {
            current.hangUp();
            unpark();
        }
    }

    /** An event on the TCP socket of an attached connection. */
    void tcpEvent(boolean hangup, boolean peerClosed) {
        SmcStream current = stream;
        if (current == null) {
            return;
        }
        lookBehindSwitch();
        if (hangup || peerClosed && current.switchOffset() >= 0) {
            current.hangUp();
        } else {
            current.wakeSelf();
        }
        unpark();
    }

    void peer(InetSocketAddress remote, int port) {
        peer = remote;
        localPort = port;
    }

    /** The client of an accepted connection; null for a connected one. */
    InetSocketAddress peer() {
        return peer;
    }

    int localPort() {
        return localPort;
    }

    NativeReader nativeReader() {
        return nativeReader;
    }

    // -- For diagnosis --

    boolean isClient() {
        return client;
    }

    SmcStream stream() {
        return stream;
    }

    int reasonCode() {
        return reasonCode;
    }

    boolean isProposed() {
        return proposed;
    }

    int readState() {
        return readState;
    }

    int writeState() {
        return writeState;
    }

    boolean isOutputShut() {
        return outputShut;
    }

    boolean isClosed() {
        return closed;
    }

    long tcpBytesSent() {
        SmcStream current = stream;
        return tcpSent + (current == null ? 0 : current.bytesSentByTcp());
    }

    long tcpBytesReceived() {
        SmcStream current = stream;
        return tcpRest.received() + (current == null ? 0 : current.bytesReceivedByTcp());
    }
}
