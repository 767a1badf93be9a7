package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.diag.SmcMode;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.StreamCounts;

/**
 * Both directions of a switched connection, and the way to wait for them; over a DMB (SMC-D) or an RMB (SMC-R).
 *
 * <p>Waiting is by futex for a thread that sleeps in the kernel, or by our doorbell (an eventfd) for whoever waits in an epoll.
 * Either way: {@code arm}, look again, sleep.
 *
 * <p>{@link #send} and {@link #receive} never block. Nothing here throws for what the peer does: {@link #LOOK} means that the
 * caller has to look at {@link #peerFlags}, {@link #isBroken} and {@link #isHungUp}.
 */
public abstract class SmcStream {
    /** Result of a transfer that did not happen because of the state of the connection. */
    public static final int LOOK = -1;

    // Connection state flags (spec/30-cdc.md §3).
    public static final int PEER_DONE_WRITING = 0x80;
    public static final int PEER_CONN_CLOSED = 0x40;
    public static final int PEER_CONN_ABORT = 0x20;

    /** Tells whether the application asked for urgent bytes in the stream (SO_OOBINLINE); asked only when one is there. */
    public interface UrgentMode {
        boolean inline();
    }

    /** SMCD or SMCR. */
    public abstract SmcMode mode();

    // -- Transfer --

    /** @return bytes taken (at least 1), 0 if there is no space, or {@link #LOOK} */
    public abstract int send(MemorySegment source, long offset, int length);

    /**
     * As {@link #send}, but takes all bytes or none, and none while anybody holds the lock. That is looked at with the ring in
     * hand: whoever takes the lock later has its first bytes behind these, whoever has it already is not split by them.
     */
    public abstract int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock);

    /** Sends one byte as urgent data; results as {@link #send}. */
    public abstract int sendUrgent(byte value);

    /** @return bytes received (at least 1), 0 if there are none, or {@link #LOOK} */
    public abstract int receive(MemorySegment target, long offset, int length);

    /** What went over SMC so far; a snapshot. */
    public abstract StreamCounts counts();

    /** Bytes of the buffer that is written to. */
    public abstract int sendBufferSize();

    /** Bytes of the buffer that is read from. */
    public abstract int receiveBufferSize();

    /** The link that it is on now; {@link LinkPlace#NONE} if it has none. */
    public abstract LinkPlace place();

    /** Bytes sent so far; a snapshot. */
    public abstract long bytesSent();

    /** Bytes received so far; a snapshot. */
    public abstract long bytesReceived();

    public abstract int available();

    /** Whether the peer sends a stream of small messages rather than answers. */
    public abstract boolean receivesStream();

    /** Bytes that were not read, urgent ones included. */
    public abstract int unread();

    /** Bytes written that the peer has not read, as far as this end knows. */
    public abstract int unconsumed();

    /** Whether a writer should be told that it can write: a third of the buffer is free, as for a TCP socket. */
    public abstract boolean isWritable();

    /** Whether there was little space when it was last written to; a guess that disturbs no writer. */
    public abstract boolean seemedFull();

    /** Whether a send would take at least one byte. */
    public abstract boolean hasSpace();

    /** Whether {@link #allowOverflow} can do anything. */
    public abstract boolean canOverflow();

    /** A writer has waited in vain: more than the buffer holds is taken from now on, where the device can keep that. */
    public abstract void allowOverflow();

    /** Whether that is so now; ends when the buffer has space again. */
    public abstract boolean isOverflowAllowed();

    // -- The switch --

    /**
     * Tells the peer that after {@code tcpBytes} bytes of the TCP stream our bytes come this way.
     *
     * @return false if they cannot: the direction stays with TCP
     */
    public abstract boolean publishSwitch(long tcpBytes);

    /** Bytes of the TCP stream that precede the peer's, or -1 while the peer has not switched. */
    public abstract long switchOffset();

    /**
     * Whether the end of the TCP stream may come before what the peer has said of its switch. Then the peer's flags, which come
     * after that, say whether it is the end; both ends publish them also in a direction that has not switched.
     */
    public abstract boolean canLagBehindTcp();

    // -- The way back --

    /**
     * Whether the stream goes on over TCP when there is no other way, beneath this class. Then a direction leaves TCP as soon as it can
     * rather than with the next write, as only a connection of which both directions have left it can go back; and bytes of the TCP
     * stream behind the peer's switch are not the application's.
     */
    public abstract boolean mayReturnToTcp();

    /** Whether it does so now; then {@link #bytesSent} and {@link #bytesReceived} are more than {@link #counts} says. */
    public abstract boolean hasReturnedToTcp();

    /** Such bytes have come: the peer has gone back to TCP. */
    public abstract void peerReturnedToTcp();

    /** Bytes that the application has sent since the stream went back to TCP; {@link #bytesSent} is without them. */
    public abstract long bytesSentByTcp();

    /** Bytes that it has received there. */
    public abstract long bytesReceivedByTcp();

    /** The descriptor of the TCP connection is about to be closed; neither what was written before nor the end is to be lost with it. */
    public abstract void keepTcp();

    // -- State --

    /** Connection state flags that the peer has sent. */
    public abstract int peerFlags();

    /** Adds connection state flags to what the peer sees, and wakes it. */
    public abstract void publishFlags(int flags);

    /** The peer broke the protocol, and the connection was aborted for it. */
    public abstract boolean isBroken();

    /** The peer's process or its TCP connection is gone. */
    public abstract boolean isHungUp();

    /** Broken or hung up: sending has come to its end. */
    public abstract boolean isGone();

    /** The peer's process or its TCP connection is gone, as somebody found out. */
    public abstract void hangUp();

    // -- Waiting --

    /** The eventfd that becomes readable after {@code arm…(true)}. */
    public abstract int ownDoorbell();

    /** Asks to be woken for data or a change of state. Callers look again afterwards. */
    public abstract void armData(boolean event);

    /** Asks to be woken for space or a change of state. Callers look again afterwards. */
    public abstract void armSpace(boolean event);

    public abstract void disarmData();

    public abstract void disarmSpace();

    /** Takes back what was asked for with an event, by whoever it was. */
    public abstract void disarmEvents();

    /** Blocks the native thread until woken, interrupted by a signal, or for {@code nanos} (0: without limit). */
    public abstract void sleepForData(long nanos);

    /** As {@link #sleepForData}, for space. */
    public abstract void sleepForSpace(long nanos);

    /** Wakes every waiter of this process on this stream, whatever it waits for. */
    public abstract void wakeSelf();

    // -- The end --

    /**
     * Ends all access to the memory and closes the doorbells. Transfers under way are waited for (they never block), waiters
     * are woken and find the stream closed. The memory itself goes with {@link #release}.
     *
     * @return false if it was closed before
     */
    public abstract boolean close();

    public abstract boolean isClosed();

    /**
     * Gives back the memory of a closed stream. Takes some tens of microseconds, or as long as a thread that has been woken
     * needs to get a processor, so not for application threads.
     */
    public abstract void release();
}
