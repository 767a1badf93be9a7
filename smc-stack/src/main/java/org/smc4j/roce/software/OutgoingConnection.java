package org.smc4j.roce.software;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.GidEntry;

/**
 * The requests of a queue pair on their way to the peer: a TCP connection that it opens when the first one is posted. Whoever
 * posts sends, as long as the socket has room; from then on the device's thread does. Answers come back on the same connection.
 *
 * <p>TCP repeats what gets lost. The queue pair's retries are exceeded when the peer's kernel has not answered for the device's
 * path timeout, or says that nobody is there; a peer that is only slow, or has no receive posted, is waited for.
 */
final class OutgoingConnection implements NetworkThread.Served {
    private static final int TCP_PORT_MASK = 0xFFFF;
    private static final int ANSWERS = 256;
    /** What a poster sends of its own and others' requests before it leaves the rest to the device's thread. */
    private static final int MOST_BYTES_OF_POSTER = 256 << 10;
    private static final int MOST_BYTES_OF_TURN = 1 << 20;
    private static final long RETRY_NANOS = 10_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private enum State {
        /** Nothing was posted since nothing was open. */
        IDLE,
        /** The device's thread is to connect, now or when it is time to try again. */
        WAITING,
        CONNECTING,
        /** The HELLO is sent. */
        GREETING,
        OPEN,
        /** The queue pair is in ERROR. */
        DEAD
    }

    private final SocketRnic rnic;
    private final SoftwareQueuePair queuePair;
    // Guarded by the queue pair's send lock; the descriptor is closed by the device's thread, which holds it then.
    private final Arena arena = Arena.ofShared();
    private final PacketBatch batch = new PacketBatch(arena);
    private final MemorySegment received = arena.allocate(ANSWERS * WireFormat.ANSWER_LENGTH, 8);
    private final Answer answer = new Answer();
    private State state = State.IDLE;
    private int descriptor = -1;
    private int slot;
    /** What the descriptor is served for besides its answers: nothing, or room to send. */
    private int waitsForRoom;
    /** Bytes of an answer that has not come completely. */
    private int receivedBytes;
    /** The peer has said that the queue pair is gone, or has been. */
    private boolean gone;
    // What the last tick saw.
    private long seenAcknowledged = -1;
    private long stalledSince;

    OutgoingConnection(SocketRnic rnic, SoftwareQueuePair queuePair) {
        this.rnic = rnic;
        this.queuePair = queuePair;
    }

    // -- Called with the send lock, by any thread --

    /** Requests were posted. */
    void transmit() {
        if (state == State.OPEN && waitsForRoom == 0) {
            send(MOST_BYTES_OF_POSTER);
        } else if (state == State.IDLE) {
            state = State.WAITING;
            // The time without progress begins now, whatever the last tick saw.
            seenAcknowledged = -1;
            rnic.thread().execute(this::connect);
        }
    }

    /** Sends what there is, up to about so many bytes; asks to go on when there is room for the rest. */
    private void send(int mostBytes) {
        if (rnic.port(queuePair).isCut()) {
            return;
        }
        int left = mostBytes;
        while (!batch.isEmpty() || left > 0 && batch.fill(queuePair.sends)) {
            long sent = batch.send(descriptor);
            if (sent == -Errno.EFAULT) {
                queuePair.fail(Completions.LOCAL_PROTECTION_ERROR);
                return;
            }
            if (sent < 0) {
                // If it is broken, whoever is told so reads first: answers may have come before.
                waitForRoom(Epoll.OUT);
                return;
            }
            left -= (int) sent;
        }
        waitForRoom(queuePair.sends.hasNext(Long.MAX_VALUE) ? Epoll.OUT : 0);
        failIfObstructed();
    }

    private void waitForRoom(int interest) {
        if (waitsForRoom != interest) {
            waitsForRoom = interest;
            rnic.thread().serveFor(descriptor, slot, Epoll.IN | interest);
        }
    }

    private void failIfObstructed() {
        int obstacle = queuePair.sends.obstacle();
        if (obstacle != Completions.SUCCESS) {
            queuePair.fail(obstacle);
        }
    }

    /** The queue pair is in ERROR. */
    void failed() {
        state = State.DEAD;
        batch.clear();
        rnic.thread().execute(this::close);
    }

    /** The queue pair is destroyed: nobody comes any more. */
    void closed() {
        arena.close();
    }

    // -- On the device's thread --

    private void connect() {
        queuePair.sendLock.lock();
        try {
            if (state != State.WAITING) {
                return;
            }
            retryLater();
            SocketPort port = rnic.port(queuePair);
            GidEntry source = SoftwareQueuePair.sourceGid(port.state(), queuePair.path().sourceGidIndex());
            if (source == null || port.isCut()) {
                return;
            }
            byte[] local = SocketPort.address(source.gid());
            byte[] peer = SocketPort.address(queuePair.path().peerGid());
            if (local.length != peer.length) {
                // No IPv4 host reaches an IPv6 one; there is nothing to wait for.
                queuePair.fail(Completions.RETRY_EXCEEDED);
                return;
            }
            open(port, source, new Address(local, 0), new Address(peer, queuePair.path().peerQueuePair() & TCP_PORT_MASK));
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private void open(SocketPort port, GidEntry source, Address local, Address peer) {
        int socket = TcpSocket.open(local.bytes().length);
        if (socket < 0) {
            return;
        }
        rnic.configure(socket);
        int scope = port.scope(source.gid());
        int result = TcpSocket.bind(socket, local, scope);
        if (result == 0) {
            result = TcpSocket.connect(socket, peer, scope);
        }
        if (result < 0 && result != -Errno.EINPROGRESS) {
            Linux.close(socket);
            connectFailed(result);
            return;
        }
        int newSlot = rnic.thread().serve(socket, this, Epoll.OUT);
        if (newSlot < 0) {
            Linux.close(socket);
            return;
        }
        descriptor = socket;
        slot = newSlot;
        state = State.CONNECTING;
    }

    private void retryLater() {
        state = State.WAITING;
        rnic.thread().tickWithin(RETRY_NANOS);
    }

    /** Nobody listens there: the device of the peer is gone. Other errors may pass. */
    private void connectFailed(int error) {
        retryLater();
        if (error == -Errno.ECONNREFUSED) {
            queuePair.fail(Completions.RETRY_EXCEEDED);
        }
    }

    @Override
    public void ready(int events) {
        queuePair.sendLock.lock();
        try {
            switch (state) {
                case CONNECTING -> greet();
                case GREETING, OPEN -> {
                    if ((events & ~Epoll.OUT) != 0) {
                        readAnswers();
                    }
                    if ((events & Epoll.OUT) != 0 && state == State.OPEN) {
                        waitForRoom(0);
                        send(MOST_BYTES_OF_TURN);
                    }
                }
                case IDLE, WAITING, DEAD -> { }
            }
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private void greet() {
        int error = TcpSocket.error(descriptor);
        if (error < 0) {
            closeDescriptor();
            connectFailed(error);
            return;
        }
        QueuePair.Path path = queuePair.path();
        GidEntry source = SoftwareQueuePair.sourceGid(rnic.port(queuePair).state(), path.sourceGidIndex());
        if (source == null || !sendHello(new Hello(source.gid(), path.peerGid(), queuePair.number(), path.peerQueuePair(),
                queuePair.sends.nextPsn()))) {
            closeDescriptor();
            retryLater();
            return;
        }
        state = State.GREETING;
        gone = false;
        receivedBytes = 0;
        waitsForRoom = 0;
        rnic.thread().serveFor(descriptor, slot, Epoll.IN);
    }

    private boolean sendHello(Hello hello) {
        byte[] bytes = new byte[WireFormat.HELLO_LENGTH];
        WireFormat.encode(hello, MemorySegment.ofArray(bytes));
        // A socket that has just connected has room for it.
        return TcpSocket.send(descriptor, bytes, 0) == bytes.length;
    }

    private void readAnswers() {
        int room;
        int count;
        do {
            room = (int) received.byteSize() - receivedBytes;
            count = Linux.receiveNow(descriptor, received.address() + receivedBytes, room);
            if (count <= 0) {
                if (count != -Errno.EAGAIN) {
                    ended(count);
                }
                return;
            }
            receivedBytes += count;
            try {
                takeAnswers();
            } catch (WireFormatException e) {
                rnic.malformed(rnic.port(queuePair), e);
                queuePair.fail(Completions.RETRY_EXCEEDED);
            }
        } while (count == room && descriptor >= 0 && state != State.DEAD);
    }

    private void takeAnswers() throws WireFormatException {
        int offset = 0;
        while (receivedBytes - offset >= WireFormat.ANSWER_LENGTH) {
            WireFormat.decode(received, offset, answer);
            offset += WireFormat.ANSWER_LENGTH;
            take(answer);
            if (state == State.DEAD || descriptor < 0) {
                return;
            }
        }
        MemorySegment.copy(received, offset, received, 0, receivedBytes - offset);
        receivedBytes -= offset;
    }

    private void take(Answer from) throws WireFormatException {
        boolean greeting = state == State.GREETING;
        if (from.kind == Answer.GONE) {
            gone = true;
        } else if (greeting && from.kind == Answer.READY) {
            state = State.OPEN;
            send(MOST_BYTES_OF_TURN);
        } else if (greeting && from.kind == Answer.NOT_READY) {
            closeDescriptor();
            retryLater();
        } else if (!greeting && from.kind == Answer.TAKEN) {
            acknowledge(from.psn);
            failIfObstructed();
        } else if (!greeting && from.kind == Answer.REFUSED) {
            int before = Psn.previous(from.psn);
            if (queuePair.sends.isOutstanding(before)) {
                queuePair.sends.acknowledge(before);
            }
            queuePair.fail(from.status);
        } else {
            throw new WireFormatException("answer out of order", from.kind);
        }
    }

    private void acknowledge(int psn) throws WireFormatException {
        if (queuePair.sends.acknowledge(psn) < 0) {
            throw new WireFormatException("acknowledgement of what was not sent", psn);
        }
    }

    /** The connection is over: the peer has closed it (0), or it broke. */
    private void ended(int error) {
        boolean greeting = state == State.GREETING;
        closeDescriptor();
        batch.clear();
        boolean pathLost = error == -Errno.ETIMEDOUT || error == -Errno.EHOSTUNREACH || error == -Errno.ENETUNREACH;
        if (greeting && !gone) {
            // Somebody who had no room for us, or is just going away: the next attempt will show.
            retryLater();
        } else if (queuePair.sends.isIncomplete()) {
            queuePair.fail(Completions.RETRY_EXCEEDED);
        } else if (gone || pathLost) {
            state = State.IDLE;
        } else {
            // The process of the peer has ended, or its kernel has given the connection up. If nobody listens there any more, it
            // was the former, which a queue pair that sends nothing is told as well.
            seenAcknowledged = -1;
            retryLater();
        }
    }

    /** Looks whether the peer is still there, and connects if it is time to. True if there is something to watch. */
    boolean tick(long now) {
        queuePair.sendLock.lock();
        try {
            if (state == State.DEAD || state == State.IDLE) {
                return false;
            }
            long acknowledged = queuePair.sends.acknowledged();
            boolean incomplete = queuePair.sends.isIncomplete();
            if (acknowledged != seenAcknowledged || state == State.OPEN && !incomplete) {
                seenAcknowledged = acknowledged;
                stalledSince = now;
            } else if (now - stalledSince >= rnic.pathTimeout() && isPathLost()) {
                giveUp(incomplete);
                return false;
            }
        } finally {
            queuePair.sendLock.unlock();
        }
        // Does nothing unless it waits for that.
        connect();
        return true;
    }

    private void giveUp(boolean incomplete) {
        if (incomplete) {
            queuePair.fail(Completions.RETRY_EXCEEDED);
        } else {
            closeDescriptor();
            state = State.IDLE;
        }
    }

    /** Nothing was acknowledged for long: whether that is because the kernel of the peer does not answer. */
    private boolean isPathLost() {
        if (state == State.WAITING || state == State.CONNECTING || rnic.port(queuePair).isCut()) {
            return true;
        }
        TcpSocket.Info info = TcpSocket.info(descriptor);
        boolean asked = info != null && (info.unacknowledged() > 0 || info.probes() > 1);
        return asked && info.lastAckMillis() >= rnic.pathTimeout() / NANOS_PER_MILLI;
    }

    /** Whether there is no connection, and nothing that needs one. */
    boolean isIdle() {
        queuePair.sendLock.lock();
        try {
            return state == State.IDLE;
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    /** The port's link is cut or restored. */
    void cut(boolean cut) {
        queuePair.sendLock.lock();
        try {
            if (descriptor >= 0) {
                TcpSocket.dropIncoming(descriptor, cut);
            }
            if (state == State.OPEN && !cut) {
                send(MOST_BYTES_OF_TURN);
            } else if (state == State.OPEN) {
                waitForRoom(0);
            }
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    @Override
    public void close() {
        queuePair.sendLock.lock();
        try {
            closeDescriptor();
        } finally {
            queuePair.sendLock.unlock();
        }
    }

    private void closeDescriptor() {
        if (descriptor >= 0) {
            rnic.thread().forget(slot);
            Linux.close(descriptor);
            descriptor = -1;
        }
    }
}
