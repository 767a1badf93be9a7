package org.smc4j.roce.software;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidEntry;

/**
 * Requests of a peer as they arrive, once its HELLO has named the queue pair that they are for. Used by the device's thread only.
 * Bytes of large packets go from the socket to their memory directly. A message that finds no receive stays where it is, and what
 * is behind it in the socket, until one is posted.
 */
final class IncomingConnection implements NetworkThread.Served {
    private static final int BUFFER = 64 << 10;
    private static final int MOST_BYTES_OF_TURN = 256 << 10;
    /** Below that, bytes are better read together with what follows them. */
    private static final int LEAST_BYTES_DIRECT = 8 << 10;
    private static final int ANSWERS = 4;

    private final SocketRnic rnic;
    private final SocketPort port;
    private final int descriptor;
    private final long acceptedAt;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment answers = arena.allocate(ANSWERS * WireFormat.ANSWER_LENGTH, 8);
    private MemorySegment buffer = arena.allocate(WireFormat.HELLO_LENGTH, 8);
    private int slot;
    private boolean closed;
    /** Whom the requests are for; null before the HELLO. */
    private SoftwareQueuePair queuePair;
    private SocketWire wire;
    // Bytes of the buffer that are not taken yet.
    private int start;
    private int end;
    private final Packet packet = new Packet();
    /** Whether the packet is accepted and its bytes are being placed; so many are left. */
    private boolean placing;
    private int left;
    /** Bytes of {@link #answers} that the socket had no room for. */
    private int unsent;
    /** Packets up to this PSN are taken, and that was not said yet. */
    private boolean owesAnswer;
    private int takenPsn;
    private int interest = Epoll.IN;

    IncomingConnection(SocketRnic rnic, SocketPort port, int descriptor) {
        this.rnic = rnic;
        this.port = port;
        this.descriptor = descriptor;
        acceptedAt = System.nanoTime();
    }

    /** False if it cannot be served: it is closed. */
    boolean open() {
        rnic.configure(descriptor);
        slot = rnic.thread().serve(descriptor, this, interest);
        if (slot < 0) {
            closed = true;
            Linux.close(descriptor);
            arena.close();
        }
        return slot >= 0;
    }

    long acceptedAt() {
        return acceptedAt;
    }

    SocketPort port() {
        return port;
    }

    @Override
    public void ready(int events) {
        if (unsent > 0 && (events & Epoll.OUT) != 0) {
            sendAnswers();
        }
        if ((events & ~Epoll.OUT) == 0 || closed) {
            return;
        }
        if (queuePair == null) {
            readHello();
        } else if ((interest & Epoll.IN) != 0) {
            read();
        } else {
            // It is not read now, so this is about its end.
            close();
        }
    }

    private void serveFor(int newInterest) {
        if (interest != newInterest) {
            interest = newInterest;
            rnic.thread().serveFor(descriptor, slot, interest);
        }
    }

    // -- The beginning --

    private void readHello() {
        int count = Linux.receiveNow(descriptor, buffer.address() + end, WireFormat.HELLO_LENGTH - end);
        if (count <= 0) {
            if (count != -Errno.EAGAIN) {
                close();
            }
            return;
        }
        end += count;
        if (end < WireFormat.HELLO_LENGTH) {
            return;
        }
        try {
            greet(WireFormat.decodeHello(buffer));
        } catch (WireFormatException e) {
            rnic.malformed(port, e);
            close();
        }
    }

    private void greet(Hello hello) {
        SoftwareQueuePair named = rnic.queuePair(hello.destinationQueuePair());
        int verdict = named == null ? Answer.GONE : verdict(named, hello);
        if (verdict != Answer.READY) {
            answer(verdict, 0, 0);
            close();
            return;
        }
        queuePair = named;
        wire = (SocketWire) named.wire;
        buffer = arena.allocate(BUFFER, 8);
        end = 0;
        rnic.greeted(this);
        wire.connected(this);
        answer(Answer.READY, 0, 0);
    }

    private int verdict(SoftwareQueuePair named, Hello hello) {
        named.receiveLock.lock();
        try {
            QueuePair.State state = named.state();
            if (state == QueuePair.State.RESET || state == QueuePair.State.INIT) {
                return Answer.NOT_READY;
            }
            return named.canReceive() && isPeer(named, hello) ? Answer.READY : Answer.GONE;
        } finally {
            named.receiveLock.unlock();
        }
    }

    /** Whether it is the one that the queue pair was connected to: by its address, numbers, and the PSN that it goes on with. */
    private boolean isPeer(SoftwareQueuePair named, Hello hello) {
        QueuePair.Path path = named.path();
        GidEntry own = SoftwareQueuePair.sourceGid(port.state(), path.sourceGidIndex());
        SocketAddresses.Address remote = SocketAddresses.remote(descriptor);
        return named.port() == port.number() && own != null && own.gid().equals(hello.destinationGid())
                && path.peerGid().equals(hello.sourceGid()) && path.peerQueuePair() == hello.sourceQueuePair()
                && remote != null && Arrays.equals(remote.bytes(), SocketPort.address(path.peerGid()))
                && named.responder.isIdle() && named.responder.expectedPsn() == hello.psn();
    }

    // -- Requests --

    private void read() {
        int budget = MOST_BYTES_OF_TURN;
        boolean more = true;
        while (more && budget > 0) {
            int room;
            int count;
            int verdict = Responder.ACCEPTED;
            queuePair.receiveLock.lock();
            try {
                if (!queuePair.canReceive()) {
                    // Its wire is about to close this.
                    return;
                }
                boolean direct = placing && start == end && left >= LEAST_BYTES_DIRECT;
                room = direct ? left : BUFFER - end;
                count = direct ? receiveDirect() : receiveBuffered();
                if (count == -Errno.EFAULT) {
                    verdict = queuePair.responder.lost();
                } else if (count > 0) {
                    verdict = take();
                }
            } finally {
                queuePair.receiveLock.unlock();
            }
            if (!proceed(verdict)) {
                return;
            }
            if (count <= 0) {
                if (count != -Errno.EAGAIN) {
                    close();
                }
                return;
            }
            budget -= count;
            more = count == room;
        }
    }

    private int receiveBuffered() {
        int count = Linux.receiveNow(descriptor, buffer.address() + end, BUFFER - end);
        end += Math.max(count, 0);
        return count;
    }

    /** EFAULT if the memory is not registered any more. */
    private int receiveDirect() {
        Responder responder = queuePair.responder;
        Region target = responder.target();
        if (!target.enter()) {
            return -Errno.EFAULT;
        }
        int count = Linux.receiveNow(descriptor, responder.address(), left);
        target.leave();
        if (count > 0) {
            responder.placed(count);
            left -= count;
        }
        return count;
    }

    /** Takes what has been received, up to the first packet that has not come completely. Returns the responder's verdict. */
    private int take() {
        while (true) {
            if (placing && !place()) {
                return queuePair.responder.lost();
            }
            if (placing || end - start < WireFormat.HEADER_LENGTH) {
                break;
            }
            int verdict = accept();
            if (verdict != Responder.ACCEPTED) {
                return verdict;
            }
        }
        MemorySegment.copy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        return Responder.ACCEPTED;
    }

    private int accept() {
        try {
            WireFormat.decode(buffer, start, packet);
        } catch (WireFormatException e) {
            rnic.malformed(port, e);
            return Responder.GAP;
        }
        int verdict = queuePair.responder.accept(packet);
        if (verdict == Responder.ACCEPTED) {
            start += WireFormat.HEADER_LENGTH;
            placing = true;
            left = packet.length;
        } else if (verdict == Responder.NOT_READY) {
            wire.hold();
        }
        return verdict;
    }

    /** Places bytes of the packet, and finishes it when all are. False if its memory is not registered any more. */
    private boolean place() {
        int count = Math.min(left, end - start);
        if (count > 0 && !queuePair.responder.place(buffer, start, count)) {
            return false;
        }
        start += count;
        left -= count;
        if (left == 0) {
            placing = false;
            queuePair.responder.finish(packet);
            if (packet.last) {
                owe(packet.psn);
            }
        }
        return true;
    }

    /** Acts on a verdict; true if it is to go on with the next packet. */
    private boolean proceed(int verdict) {
        switch (verdict) {
            case Responder.ACCEPTED -> {
                return true;
            }
            // Back when a receive is posted. Until then only room for answers, and the end, is of interest.
            case Responder.NOT_READY -> serveFor(interest & ~Epoll.IN);
            // TCP neither loses nor repeats: whoever sends that is no RNIC.
            case Responder.DUPLICATE, Responder.GAP -> close();
            default -> refuse(verdict);
        }
        return false;
    }

    private void refuse(int status) {
        owesAnswer = false;
        answer(Answer.REFUSED, status, packet.psn);
        queuePair.fail();
        if (status == Completions.REMOTE_ACCESS_ERROR) {
            rnic.raise(new Event(Event.Kind.QUEUE_PAIR_ACCESS_ERROR, port.number(), queuePair.number()));
        }
    }

    /** A receive was posted after one was missing. */
    void resume() {
        if (closed) {
            return;
        }
        int verdict;
        queuePair.receiveLock.lock();
        try {
            if (!queuePair.canReceive()) {
                return;
            }
            verdict = take();
        } finally {
            queuePair.receiveLock.unlock();
        }
        if (proceed(verdict)) {
            serveFor(interest | Epoll.IN);
        }
    }

    // -- Answers --

    private void owe(int psn) {
        takenPsn = psn;
        if (!owesAnswer) {
            owesAnswer = true;
            rnic.owesAnswer(this);
        }
    }

    /** Says what is taken, after everything that had come was served: one answer for all. */
    void answerOwed() {
        if (owesAnswer && unsent == 0 && !closed) {
            owesAnswer = false;
            answer(Answer.TAKEN, 0, takenPsn);
        }
    }

    private void answer(int kind, int status, int psn) {
        if (unsent + WireFormat.ANSWER_LENGTH > answers.byteSize()) {
            // The peer reads nothing; what it does not know, it learns from the end of the connection.
            return;
        }
        WireFormat.encodeAnswer(kind, status, psn, answers, unsent);
        unsent += WireFormat.ANSWER_LENGTH;
        sendAnswers();
    }

    private void sendAnswers() {
        int count = Linux.sendNow(descriptor, answers.address(), unsent);
        if (count > 0) {
            MemorySegment.copy(answers, count, answers, 0, unsent - count);
            unsent -= count;
        }
        serveFor(unsent > 0 ? interest | Epoll.OUT : interest & ~Epoll.OUT);
        answerOwed();
    }

    // -- The end --

    /** The queue pair takes no more requests. */
    void end() {
        if (!closed) {
            answer(Answer.GONE, 0, 0);
            close();
        }
    }

    /** The port's link is cut or restored. */
    void cut(boolean cut) {
        TcpSocket.dropIncoming(descriptor, cut);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        rnic.thread().forget(slot);
        Linux.close(descriptor);
        arena.close();
        rnic.disconnected(this);
        if (wire != null) {
            wire.disconnected(this);
        }
    }
}
