package org.smc4j.core;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.smc4j.connection.RdmaConnection;
import org.smc4j.connection.Waiter;
import org.smc4j.negotiation.HandshakeEnd;
import org.smc4j.stream.SmcStream;

/** One end of a connection of a test: what became of it, and an application that writes and reads as much as fits. */
final class CoreEnd implements SmcrConnection.Owner {
    private static final int PIECE = 5_000;

    /** Nobody sleeps in virtual time: the test looks again by itself. */
    private static final Waiter NO_WAITER = new Waiter() {
        @Override
        public void arm(boolean event) {
        }

        @Override
        public void disarm() {
        }

        @Override
        public void sleep(long nanos) {
            throw new AssertionError("nobody sleeps in virtual time");
        }

        @Override
        public void wake() {
        }

        @Override
        public void wakeAlways() {
        }
    };

    private final byte multiplier;
    private final MemorySegment piece = MemorySegment.ofArray(new byte[PIECE]);
    /** What came by TCP instead, in order, after the last link was lost. */
    private final List<byte[]> byTcp = new ArrayList<>();
    HandshakeEnd handshake;
    SmcrConnection connection;
    boolean frozen;
    boolean finished;
    long written;
    long read;

    /** @param multiplier makes this end's bytes different from those of other ends */
    CoreEnd(int multiplier) {
        this.multiplier = (byte) multiplier;
    }

    void ended(HandshakeEnd end) {
        handshake = end;
        if (end instanceof HandshakeEnd.Active active) {
            connection = (SmcrConnection) active.reservation();
            connection.activate();
        }
    }

    boolean isActive() {
        return handshake instanceof HandshakeEnd.Active;
    }

    RdmaConnection stream() {
        return connection.stream();
    }

    private byte at(long position) {
        return (byte) (position * multiplier + (position >>> 8));
    }

    /** Writes what fits now, up to a total. */
    void write(long total) {
        while (written < total) {
            int length = (int) Math.min(PIECE, total - written);
            for (int i = 0; i < length; i++) {
                piece.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, at(written + i));
            }
            int n = stream().send(piece, 0, length);
            if (n <= 0) {
                return;
            }
            written += n;
        }
    }

    /** Reads what is there, and checks it against what the other end writes. */
    void read(CoreEnd writer) {
        while (true) {
            int n = stream().receive(piece, 0, PIECE);
            if (n <= 0) {
                break;
            }
            check(writer, piece.asSlice(0, n).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        }
        for (byte[] bytes : byTcp) {
            check(writer, bytes);
        }
        byTcp.clear();
    }

    private void check(CoreEnd writer, byte[] bytes) {
        for (byte value : bytes) {
            if (value != writer.at(read)) {
                throw new AssertionError("byte " + read + ": " + value + " instead of " + writer.at(read));
            }
            read++;
        }
    }

    /** Sends by TCP what the peer has not got, as the two ends have to agree once both stand still. */
    void goOnByTcp(CoreEnd peer) {
        long arrived = peer.stream().bytesArrived();
        int left = (int) stream().unconfirmed(arrived);
        if (left < 0) {
            throw new AssertionError("the ends do not agree");
        }
        MemorySegment bytes = MemorySegment.ofArray(new byte[left]);
        stream().copyUnconfirmed(arrived, bytes, 0, left);
        peer.byTcp.add(bytes.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        connection.stream().letGo();
    }

    @Override
    public String toString() {
        return stream().state() + (frozen ? " frozen" : "") + (stream().isBroken() ? " broken" : "") + " on "
                + connection.membership().link();
    }

    boolean hasEnded() {
        return (stream().peerFlags() & (SmcStream.PEER_CONN_CLOSED | SmcStream.PEER_DONE_WRITING)) != 0;
    }

    @Override
    public Waiter forData() {
        return NO_WAITER;
    }

    @Override
    public Waiter forSpace() {
        return NO_WAITER;
    }

    @Override
    public boolean urgentInline() {
        return false;
    }

    @Override
    public void frozen(SmcrConnection which) {
        frozen = true;
    }

    @Override
    public void finished(SmcrConnection which) {
        finished = true;
    }
}
