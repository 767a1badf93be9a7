package sun.nio.ch;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * What the woven socket code of the JDK asks about one descriptor. Defined into java.base, so that the JDK's classes can call
 * it; implemented outside. Results are those of the JDK's dispatchers ({@link IOStatus}), or {@link #PROCEED}: the JDK goes
 * on as if nothing had been asked.
 */
public abstract class SocketHandle {
    /** Not a result of any system call: do what the JDK does. */
    public static final int PROCEED = Integer.MIN_VALUE;
    public static final int UNAVAILABLE = IOStatus.UNAVAILABLE;
    public static final int EOF = IOStatus.EOF;

    /** Reads into native memory; never blocks unless it answers PROCEED. */
    public abstract int read(MemorySegment target, long offset, int length) throws IOException;

    /** The JDK's own read ended with {@code n} bytes or a status. */
    public abstract void readDone(long n);

    /** Writes from native memory; never blocks unless it answers PROCEED. */
    public abstract int write(MemorySegment source, long offset, int length) throws IOException;

    /** The JDK's own write ended with {@code n} bytes or a status. */
    public abstract void writeDone(long n);

    /** A read that does nothing (0) unless it can take bytes at once without anybody's state being changed but ours. */
    public abstract int readQuickly(MemorySegment target, long offset, int length);

    /** A write that does nothing (0) unless it can place bytes at once; all of them if {@code whole}. */
    public abstract int writeQuickly(MemorySegment source, long offset, int length, boolean whole);

    /** True once transfers on the descriptor have left TCP in that direction; the quick calls make sense then. */
    public abstract boolean isReadSwitched();

    public abstract boolean isWriteSwitched();

    /** Sends an urgent byte. */
    public abstract int writeUrgent(byte value) throws IOException;

    /** Bytes that can be read, or PROCEED. */
    public abstract int available();

    /** Shuts a direction; true if TCP must not be told. */
    public abstract boolean shutdown(int how);

    /**
     * Blocks the native thread until an event, a signal, a wake-up or the timeout; events of the JDK's Net.POLL constants.
     *
     * @param millis -1 to wait without limit
     * @return the event, 0 if none is known, or PROCEED
     */
    public abstract int poll(int event, long millis) throws IOException;

    /** The JDK's own poll ended. */
    public abstract void pollDone(int event);

    /** Parks the virtual thread until an event or the timeout (0: none); false if the JDK's poller has to do it. */
    public abstract boolean parkVirtual(int event, long nanos);

    /** Unparks the virtual threads that wait for the event. */
    public abstract void stopPoll();

    /** True if a sendfile to the descriptor must not go to the TCP socket. */
    public abstract boolean divertsTransfer();

    /** The threads that use the descriptor are about to be thrown out. */
    public abstract void preClose();

    /** The descriptor is about to be closed. */
    public abstract void close();
}
