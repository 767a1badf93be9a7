package org.smc4j.roce.software;

import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceException;

/**
 * A queue pair: its states, and what may be posted in which. Requests go to the {@link SendQueue}, from which the {@link Wire}
 * takes packets; packets of the peer go from the wire to the {@link Responder}.
 */
final class SoftwareQueuePair implements QueuePair, SendQueue.Completer, ReceiveQueue.Completer {
    private static final int LARGEST_NUMBER = 0xFF_FFFF;
    private static final int LARGEST_HOP_LIMIT = 255;

    private final SoftwareDevice device;
    private final SoftwareProtectionDomain domain;
    private final RoceDevice.QueuePairAttributes attributes;
    private final SoftwareCompletionQueue sendCompletions;
    private final SoftwareCompletionQueue receiveCompletions;
    private final int number;
    /** Guards the send queue and what the wire sends. */
    final ReentrantLock sendLock = new ReentrantLock();
    /** Guards the receive queue, the responder and what the wire receives. */
    final ReentrantLock receiveLock = new ReentrantLock();
    /** By the send lock. */
    final SendQueue sends;
    /** By the receive lock. */
    final ReceiveQueue receives;
    final Responder responder;
    final Wire wire;
    // Written with both locks held.
    private volatile State state = State.RESET;
    private volatile int port;
    private volatile Path path;
    private volatile boolean closed;
    /** A completion was lost; written under the lock of the queue it was of, and never reset. */
    private volatile boolean overflowed;

    SoftwareQueuePair(SoftwareDevice device, SoftwareProtectionDomain domain, int number,
                      RoceDevice.QueuePairAttributes attributes, int maxInline) {
        this.device = device;
        this.domain = domain;
        this.number = number;
        this.attributes = attributes;
        sendCompletions = (SoftwareCompletionQueue) attributes.sendQueue();
        receiveCompletions = (SoftwareCompletionQueue) attributes.receiveQueue();
        sends = new SendQueue(domain, this, attributes.maxSendRequests(), maxInline);
        receives = new ReceiveQueue(this, attributes.maxReceiveRequests());
        responder = new Responder(domain, receives);
        wire = device.createWire(this);
    }

    // -- States --

    /** The transitions there are; every state goes to ERROR besides. */
    private static State before(State next) {
        return switch (next) {
            case INIT -> State.RESET;
            case READY_TO_RECEIVE -> State.INIT;
            case READY_TO_SEND -> State.READY_TO_RECEIVE;
            case RESET, ERROR -> throw new IllegalArgumentException(next.name());
        };
    }

    private void requireBefore(State next) throws RoceException {
        if (state != before(next)) {
            throw new RoceException("queue pair " + number + " cannot go from " + state + " to " + next);
        }
    }

    @Override
    public void initialize(int newPort) throws RoceException {
        requirePort(newPort);
        lockBoth();
        try {
            requireBefore(State.INIT);
            port = newPort;
            state = State.INIT;
        } finally {
            unlockBoth();
        }
    }

    private void requirePort(int newPort) throws RoceException {
        if (newPort < 1 || newPort > device.portCount()) {
            throw new RoceException("the device has no port " + newPort);
        }
    }

    @Override
    public void readyToReceive(Path newPath) throws RoceException {
        lockBoth();
        try {
            requireBefore(State.READY_TO_RECEIVE);
            requirePath(newPath);
            path = newPath;
            responder.begin(newPath.peerInitialPsn());
            state = State.READY_TO_RECEIVE;
            wire.readyToReceive();
        } finally {
            unlockBoth();
        }
    }

    private void requirePath(Path newPath) throws RoceException {
        RoceDevice.Port attributesOfPort = device.port(port);
        if (sourceGid(attributesOfPort, newPath.sourceGidIndex()) == null) {
            throw new RoceException("port " + port + " has no GID with index " + newPath.sourceGidIndex());
        }
        if (newPath.mtuCode() < 1 || newPath.mtuCode() > attributesOfPort.mtuCode()) {
            throw new RoceException("path MTU code " + newPath.mtuCode() + " is not 1 to " + attributesOfPort.mtuCode());
        }
        boolean numbersFit = newPath.peerQueuePair() > 0 && newPath.peerQueuePair() <= LARGEST_NUMBER
                && newPath.peerInitialPsn() >= 0 && newPath.peerInitialPsn() <= Psn.MASK
                && newPath.hopLimit() >= 1 && newPath.hopLimit() <= LARGEST_HOP_LIMIT;
        if (!numbersFit) {
            throw new RoceException("peer queue pair, PSN or hop limit out of range: " + newPath);
        }
    }

    /** The entry of the GID table that has this index, null if there is none. */
    static RoceDevice.GidEntry sourceGid(RoceDevice.Port port, int index) {
        for (RoceDevice.GidEntry entry : port.gids()) {
            if (entry.index() == index) {
                return entry;
            }
        }
        return null;
    }

    @Override
    public void readyToSend(int initialPsn) throws RoceException {
        if (initialPsn < 0 || initialPsn > Psn.MASK) {
            throw new RoceException("initial PSN of more than 24 bits: " + initialPsn);
        }
        lockBoth();
        try {
            requireBefore(State.READY_TO_SEND);
            sends.begin(initialPsn, device.packetLength(path));
            state = State.READY_TO_SEND;
        } finally {
            unlockBoth();
        }
    }

    @Override
    public void fail() {
        fail(Completions.FLUSH_ERROR);
    }

    /** Goes to ERROR; the first request that has not completed does so with this status. */
    void fail(int firstStatus) {
        lockBoth();
        try {
            if (state == State.ERROR) {
                return;
            }
            state = State.ERROR;
            sends.flush(firstStatus);
            receives.flush();
            wire.failed();
        } finally {
            unlockBoth();
        }
    }

    private void lockBoth() {
        sendLock.lock();
        receiveLock.lock();
    }

    private void unlockBoth() {
        receiveLock.unlock();
        sendLock.unlock();
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public State state() {
        return state;
    }

    /** From INIT on. */
    int port() {
        return port;
    }

    /** From READY_TO_RECEIVE on. */
    Path path() {
        return path;
    }

    boolean canReceive() {
        State now = state;
        return now == State.READY_TO_RECEIVE || now == State.READY_TO_SEND;
    }

    @Override
    public int maxInline() {
        return sends.maxInline();
    }

    // -- Posting --

    @Override
    public int postReceive(long id, long address, int length, int lkey) {
        receiveLock.lock();
        try {
            if (state == State.RESET || length < 0 || closed) {
                return -Errno.EINVAL;
            }
            if (!receives.post(id, address, length, lkey)) {
                return -Errno.ENOMEM;
            }
            if (state == State.ERROR) {
                receives.flush();
            } else {
                wire.receivePosted();
            }
            return 0;
        } finally {
            receiveLock.unlock();
        }
    }

    @Override
    public int postSend(long id, long address, int length, int lkey, int flags) {
        if (length < 0) {
            return -Errno.EINVAL;
        }
        return post(Packet.SEND, id, address, length, lkey, 0, 0, 0, 1, 0, 0, flags);
    }

    @Override
    public int postWrite(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags) {
        if (length < 1) {
            return -Errno.EINVAL;
        }
        return post(Packet.WRITE, id, address, length, lkey, 0, 0, 0, 1, remoteAddress, rkey, flags);
    }

    @Override
    public int postWrite(long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2,
                         long remoteAddress, int rkey, int flags) {
        if (length1 < 1 || length2 < 1 || length1 + length2 < 0 || attributes.maxSendSges() < 2) {
            return -Errno.EINVAL;
        }
        return post(Packet.WRITE, id, address1, length1, lkey1, address2, length2, lkey2, 2, remoteAddress, rkey, flags);
    }

    private int post(int opcode, long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2,
                     int pieces, long remoteAddress, int rkey, int flags) {
        sendLock.lock();
        try {
            if (state != State.READY_TO_SEND && state != State.ERROR || closed) {
                return -Errno.EINVAL;
            }
            SendRequest request = sends.claim();
            if (request == null) {
                return -Errno.ENOMEM;
            }
            request.set(id, opcode, flags, remoteAddress, rkey);
            request.add(address1, length1, lkey1);
            if (pieces == 2) {
                request.add(address2, length2, lkey2);
            }
            int result = sends.commit(request);
            if (result < 0) {
                return result;
            }
            if (state == State.ERROR) {
                sends.flush(Completions.FLUSH_ERROR);
            } else {
                wire.transmit();
            }
            return 0;
        } finally {
            sendLock.unlock();
        }
    }

    /** The {@code nth} request from now on fails with this status when its turn to be sent comes. */
    void obstruct(long nth, int status) {
        sendLock.lock();
        try {
            sends.obstruct(nth, status);
        } finally {
            sendLock.unlock();
        }
    }

    // -- Completions --

    @Override
    public void completeSend(long position, long id, int status) {
        device.complete(sendCompletions, this, false, position, id, status, 0, false);
    }

    @Override
    public void completeReceive(long position, long id, int status, int length, boolean solicited) {
        device.complete(receiveCompletions, this, true, position, id, status, length, solicited);
    }

    /** A completion queue had no room for one of our completions, which is lost: we cannot go on. */
    void completionLost() {
        if (!overflowed) {
            overflowed = true;
            device.execute(() -> {
                fail();
                device.raise(new Event(Event.Kind.QUEUE_PAIR_FATAL, port, number));
            });
        }
    }

    /** Whoever polls has seen a completion, which gives the slots of its queue back up to there. */
    void reclaim(boolean receive, long position) {
        if (receive) {
            receives.reclaim(position);
        } else {
            sends.reclaim(position);
        }
    }

    @Override
    public void close() {
        lockBoth();
        try {
            if (closed) {
                return;
            }
            fail();
            closed = true;
            wire.closed();
            sends.close();
        } finally {
            unlockBoth();
        }
        sendCompletions.forget(this);
        receiveCompletions.forget(this);
        domain.remove(this);
        device.remove(this);
    }

    /** Whether its completions have no reader any more. */
    boolean isClosed() {
        return closed;
    }
}
