package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.time.Scheduler;

/**
 * The transport of a reliable connected queue pair over packets that may get lost: acknowledgements, repetition from the oldest
 * packet that was not acknowledged, after a timeout or when the receiver misses one, and the wait for a receive to be posted.
 * Works in the scheduler's tasks.
 */
final class SimulatedWire implements Wire {
    private final SimulatedRnic rnic;
    private final SoftwareQueuePair queuePair;
    /** Whether it waits for its turn at its port; the scheduler's tasks only. */
    private boolean queued;
    // Guarded by the send lock.
    private final Payload payload = new Payload();
    private long visible;
    private boolean waitsForReceive;
    /** Retries since the last progress. */
    private int retries;
    private int rnrRetries;
    private long deadline;
    private Scheduler.Timer timer;
    /** A packet is missing and the peer knows, by the receive lock. */
    private boolean gapTold;

    SimulatedWire(SimulatedRnic rnic, SoftwareQueuePair queuePair) {
        this.rnic = rnic;
        this.queuePair = queuePair;
    }

    /** False if it is queued already. */
    boolean queue() {
        if (queued) {
            return false;
        }
        queued = true;
        return true;
    }

    void dequeue() {
        queued = false;
    }

    @Override
    public void readyToReceive() {
        // The fabric finds the queue pair by its number.
    }

    @Override
    public void receivePosted() {
        // A sender that found none tries again after its timer.
    }

    @Override
    public void failed() {
        cancelTimer();
    }

    @Override
    public void closed() {
        // Packets that arrive later find no queue pair.
    }

    // -- Requester --

    @Override
    public void transmit() {
        long limit = queuePair.sends.posted();
        rnic.scheduler().execute(() -> rnic.ringDoorbell(this, limit));
    }

    /** The NIC has seen the doorbell for the requests up to {@code limit}. */
    void doorbell(long limit) {
        queuePair.sendLock.lock();
        try {
            visible = Math.max(visible, limit);
        } finally {
            queuePair.sendLock.unlock();
        }
        request();
    }

    private void request() {
        rnic.port(queuePair).request(this);
    }

    /** Sends a packet. Returns how long the port is busy with it in ns, negative if there is none. */
    long transmitNext(SimulatedPort port) {
        queuePair.sendLock.lock();
        try {
            if (queuePair.state() != QueuePair.State.READY_TO_SEND || waitsForReceive) {
                return -1;
            }
            Packet packet = new Packet();
            if (!queuePair.sends.next(visible, packet, payload)) {
                failIfObstructed();
                return -1;
            }
            byte[] bytes = payload.copy();
            payload.leave();
            if (timer == null) {
                startTimer();
            }
            return send(port, packet, bytes);
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private long send(SimulatedPort port, Packet packet, byte[] bytes) {
        Frame frame = frame(packet, bytes, 0, 0);
        long issued = packet.first ? rnic.issue() : 0;
        long serialization = rnic.model().serialization(frame.size());
        GidEntry source = source(port);
        if (source != null) {
            rnic.fabric().carry(port, source, frame, issued + serialization);
        }
        return Math.max(issued, serialization);
    }

    private Frame frame(Packet packet, byte[] bytes, int answer, int psn) {
        QueuePair.Path path = queuePair.path();
        GidEntry source = source(rnic.port(queuePair));
        return new Frame(source == null ? null : source.gid(), queuePair.number(), path.peerGid(), path.peerQueuePair(), packet,
                bytes, answer, psn);
    }

    private GidEntry source(SimulatedPort port) {
        return SoftwareQueuePair.sourceGid(port.state(), queuePair.path().sourceGidIndex());
    }

    /** Whether frames of this source are for us, and come from our peer. */
    boolean expects(Frame frame) {
        QueuePair.Path path = queuePair.path();
        GidEntry source = source(rnic.port(queuePair));
        return source != null && source.gid().equals(frame.destinationGid()) && path.peerGid().equals(frame.sourceGid())
                && path.peerQueuePair() == frame.sourceQueuePair();
    }

    /** An answer of the peer has arrived. */
    void answered(Frame frame) {
        queuePair.sendLock.lock();
        try {
            if (queuePair.state() != QueuePair.State.READY_TO_SEND) {
                return;
            }
            int taken = frame.answer() == Frame.TAKEN ? frame.psn() : Psn.previous(frame.psn());
            if (queuePair.sends.acknowledge(taken) > 0) {
                progress();
            }
            if (!failIfObstructed() && queuePair.sends.isIncomplete()) {
                react(frame.answer());
            }
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private void react(int answer) {
        switch (answer) {
            case Frame.TAKEN -> { }
            case Frame.MISSING -> {
                // If nothing is under way, the answer is to a packet that is to be sent again anyway.
                if (queuePair.sends.hasUnacknowledged()) {
                    retry();
                }
            }
            case Frame.NOT_READY -> {
                if (queuePair.sends.hasUnacknowledged()) {
                    waitForReceive();
                }
            }
            default -> queuePair.fail(answer);
        }
    }

    private boolean failIfObstructed() {
        int obstacle = queuePair.sends.obstacle();
        if (obstacle == Completions.SUCCESS) {
            return false;
        }
        queuePair.fail(obstacle);
        return true;
    }

    /** Begins anew with the retries, and the time without an acknowledgement. */
    private void progress() {
        retries = 0;
        rnrRetries = 0;
        if (queuePair.sends.hasUnacknowledged()) {
            startTimer();
        } else {
            cancelTimer();
        }
    }

    private void startTimer() {
        deadline = rnic.scheduler().nanoTime() + rnic.model().ackTimeout();
        if (timer == null) {
            timer = rnic.scheduler().schedule(rnic.model().ackTimeout(), this::timeout);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void timeout() {
        queuePair.sendLock.lock();
        try {
            if (timer == null) {
                return;
            }
            long left = deadline - rnic.scheduler().nanoTime();
            timer = left > 0 ? rnic.scheduler().schedule(left, this::timeout) : null;
            if (timer == null) {
                retry();
            }
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private void retry() {
        if (retries == rnic.model().retries()) {
            queuePair.fail(Completions.RETRY_EXCEEDED);
            return;
        }
        retries++;
        queuePair.sends.rewind();
        startTimer();
        request();
    }

    private void waitForReceive() {
        int most = rnic.model().rnrRetries();
        if (most != RnicModel.FOR_EVER && rnrRetries == most) {
            queuePair.fail(Completions.RNR_RETRY_EXCEEDED);
            return;
        }
        rnrRetries++;
        // The peer is there: the time without an acknowledgement begins when the message is sent again.
        cancelTimer();
        retries = 0;
        queuePair.sends.rewind();
        waitsForReceive = true;
        rnic.scheduler().schedule(rnic.model().rnrTimer(), this::endOfWait);
    }

    private void endOfWait() {
        queuePair.sendLock.lock();
        try {
            waitsForReceive = false;
            if (queuePair.state() != QueuePair.State.READY_TO_SEND) {
                return;
            }
            request();
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    // -- Responder --

    /** A packet of the peer has arrived. */
    void arrived(Frame frame) {
        int verdict;
        queuePair.receiveLock.lock();
        try {
            if (!queuePair.canReceive()) {
                return;
            }
            verdict = take(frame);
        } finally {
            queuePair.receiveLock.unlock();
        }
        if (verdict > 0) {
            refuse(verdict, frame.packet());
        }
    }

    /** Returns the verdict on it, positive if the request failed. */
    private int take(Frame frame) {
        Responder responder = queuePair.responder;
        Packet packet = frame.packet();
        int verdict = responder.accept(packet);
        switch (verdict) {
            case Responder.ACCEPTED -> {
                if (!responder.place(MemorySegment.ofArray(frame.bytes()), 0, packet.length)) {
                    return responder.lost();
                }
                responder.finish(packet);
                gapTold = false;
                if (packet.last) {
                    answer(Frame.TAKEN, packet.psn);
                }
            }
            case Responder.DUPLICATE -> answer(Frame.TAKEN, Psn.previous(responder.expectedPsn()));
            case Responder.GAP -> {
                if (!gapTold) {
                    answer(Frame.MISSING, responder.expectedPsn());
                }
                gapTold = true;
            }
            case Responder.NOT_READY -> {
                answer(Frame.NOT_READY, packet.psn);
                // What follows was sent before the peer knew, and will come again.
                gapTold = true;
            }
            default -> { }
        }
        return verdict;
    }

    private void refuse(int status, Packet packet) {
        answer(status, packet.psn);
        queuePair.fail();
        if (status == Completions.REMOTE_ACCESS_ERROR) {
            rnic.raise(new Event(Event.Kind.QUEUE_PAIR_ACCESS_ERROR, queuePair.port(), queuePair.number()));
        }
    }

    private void answer(int answer, int psn) {
        SimulatedPort port = rnic.port(queuePair);
        GidEntry source = source(port);
        if (source != null) {
            rnic.fabric().carry(port, source, frame(null, new byte[0], answer, psn), 0);
        }
    }
}
