package org.smc4j.it.faults;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;

import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcType;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;
import org.smc4j.ism.DmbException;
import org.smc4j.ism.IsmDevice;

/** A TCP listener without an agent, published as if it had one. One connection at a time is in the hands of the test. */
final class LyingServer implements AutoCloseable {
    private static final int ACCEPT_MILLIS = 10_000;
    private static final int SOCKET_MILLIS = 500;
    private static final int PROPOSAL_WAIT_MILLIS = 20;
    private static final long PROPOSAL_MILLIS = 1000;
    private static final int DMB_SIZE = 65536;

    private final ServerSocket server;
    private final int listener;
    private Sideline line;

    LyingServer(int port) throws IOException {
        server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(SOCKET_MILLIS);
        listener = Sideline.listen(Wire.listener(port));
    }

    /** A client's connection and its Proposal, and the steps of an honest server to deviate from. */
    final class Victim implements AutoCloseable {
        final Socket socket;
        final Sideline line;
        final long id;
        final byte[] tuple;
        final Arena arena = Arena.ofShared();
        final IsmDevice.Registered own;
        final int ownDoorbell = Linux.eventfd();
        Dmb peer;
        int peerDoorbell = -1;

        private Victim(Socket socket, Sideline line, Wire.Envelope proposal) throws DmbException {
            this.socket = socket;
            this.line = line;
            this.id = proposal.id();
            this.tuple = proposal.tuple();
            this.own = Wire.DEVICE.registerDmb(DMB_SIZE, arena);
        }

        void send(int type, byte[] payload, int... descriptors) {
            line.send(type, id, tuple, payload, descriptors);
        }

        void accept(int... descriptors) {
            send(Wire.ACCEPT, Wire.answer(ClcType.ACCEPT, own.dmb()), descriptors);
        }

        void accept() {
            accept(own.descriptor(), ownDoorbell);
        }

        /** Accepts and takes the Confirm; false if none comes. */
        boolean confirmed() throws ClcException, DmbException {
            accept();
            Sideline.Received confirm = line.receive(Wire.CONFIRM, PROPOSAL_MILLIS);
            if (confirm == null) {
                return false;
            }
            ClcAcceptConfirmD answer = confirm.envelope().answer();
            peer = Wire.DEVICE.attachDmb(answer.dmbToken(), Dmb.sizeOf(answer.sizeCode()), confirm.descriptors()[0], arena);
            Linux.close(confirm.descriptors()[0]);
            peerDoorbell = confirm.descriptors()[1];
            return true;
        }

        /** The whole handshake as it should be. */
        boolean switched() throws ClcException, DmbException {
            boolean confirmed = confirmed();
            send(Wire.READY, new byte[0]);
            return confirmed;
        }

        Ring ring() {
            return new Ring(own.dmb(), peer, peerDoorbell);
        }

        @Override
        public void close() throws IOException {
            socket.close();
            Linux.close(own.descriptor());
            Linux.close(ownDoorbell);
            if (peerDoorbell >= 0) {
                Linux.close(peerDoorbell);
            }
            arena.close();
        }
    }

    /** The newest connection that a client proposes SMC for. */
    Victim next() throws IOException, DmbException {
        long end = System.nanoTime() + ACCEPT_MILLIS * 1_000_000L;
        while (System.nanoTime() < end) {
            Wire.Envelope proposal = newestProposal();
            while (proposal != null) {
                // Older ones are of connections that the client has given up by now.
                Socket socket = accept();
                if (socket == null) {
                    break;
                }
                if (Arrays.equals(proposal.tuple(), Wire.tuple((InetSocketAddress) socket.getRemoteSocketAddress(),
                        (InetSocketAddress) socket.getLocalSocketAddress()))) {
                    return new Victim(socket, line, proposal);
                }
                socket.close();
            }
        }
        throw new AssertionError("the client does not propose any more");
    }

    private Socket accept() throws IOException {
        try {
            return server.accept();
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private Wire.Envelope newestProposal() {
        Sideline fresh = Sideline.accept(listener, line == null ? PROPOSAL_MILLIS : 0);
        if (fresh != null) {
            dropLink();
            line = fresh;
        }
        Wire.Envelope newest = null;
        Sideline.Received received;
        while (line != null && (received = line.receive(Wire.PROPOSAL, newest == null ? PROPOSAL_WAIT_MILLIS : 1)) != null) {
            received.close();
            newest = received.envelope();
        }
        return newest;
    }

    void dropLink() {
        if (line != null) {
            line.close();
            line = null;
        }
    }

    @Override
    public void close() throws IOException {
        dropLink();
        Linux.close(listener);
        server.close();
    }
}
