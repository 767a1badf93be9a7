package sun.nio.ch;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the woven socket code of the JDK asks about one descriptor. Defined into java.base, so that the JDK's classes can call
 * it; implemented outside. Results are those of the JDK's dispatchers ({@link IOStatus}), or {@link #PROCEED}: the JDK goes
 * on as if nothing had been asked. That is also what every method here does unless it is overridden.
 */
public abstract class SocketHandle {
    /** Not a result of any system call: do what the JDK does. */
    public static final int PROCEED = Integer.MIN_VALUE;
    public static final int UNAVAILABLE = IOStatus.UNAVAILABLE;
    public static final int EOF = IOStatus.EOF;

    /** Reads into native memory; never blocks unless it answers PROCEED. */
    public int read(long address, int length) throws IOException {
        return PROCEED;
    }

    /** The JDK's own read ended with {@code n} bytes or a status; what the application is to see instead. */
    public long readDone(long n) {
        return n;
    }

    /** Writes from native memory; never blocks unless it answers PROCEED. */
    public int write(long address, int length) throws IOException {
        return PROCEED;
    }

    /** The JDK's own write ended with {@code n} bytes or a status. */
    public void writeDone(long n) {
    }

    /** A read that does nothing (0) unless it can take bytes at once without anybody's state being changed but ours. */
    public int readQuickly(MemorySegment target, long offset, int length) {
        return 0;
    }

    /**
     * A write that does nothing (0) unless it can place all bytes at once (in part would not do for a blocking write), and while
     * nobody holds the JDK's write lock: a longer write of another thread must not be split.
     */
    public int writeQuickly(MemorySegment source, long offset, int length, ReentrantLock writeLock) {
        return 0;
    }

    /** True once transfers on the descriptor have left TCP in that direction; the quick calls make sense then. */
    public boolean isReadSwitched() {
        return false;
    }

    public boolean isWriteSwitched() {
        return false;
    }

    /** Sends an urgent byte. */
    public int writeUrgent(byte value) throws IOException {
        return PROCEED;
    }

    /** Bytes that can be read, or PROCEED. */
    public int available() {
        return PROCEED;
    }

    /** Shuts a direction; true if TCP must not be told. */
    public boolean shutdown(int how) {
        return false;
    }

    /**
     * Blocks the native thread until an event, a signal, a wake-up or the timeout; events of the JDK's Net.POLL constants.
     *
     * @param millis -1 to wait without limit
     * @return the event, 0 if none is known, or PROCEED
     */
    public int poll(int event, long millis) throws IOException {
        return PROCEED;
    }

    /** The JDK's own poll ended. */
    public void pollDone(int event) {
    }

    /** Parks the virtual thread until an event or the timeout (0: none); false if the JDK's poller has to do it. */
    public boolean parkVirtual(int event, long nanos) {
        return false;
    }

    /** True once whoever waits on the TCP socket would wait in vain. */
    public boolean isAttached() {
        return false;
    }

    /** Unparks the virtual threads that wait for the event. */
    public void stopPoll() {
    }

    /** True if a sendfile to the descriptor must not go to the TCP socket. */
    public boolean divertsTransfer() {
        return false;
    }

    /** The threads that use the descriptor are about to be thrown out. */
    public void preClose() {
    }

    /** The descriptor is about to be closed. */
    public abstract void close();
}
