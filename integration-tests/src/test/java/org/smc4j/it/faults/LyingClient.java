package org.smc4j.it.faults;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcType;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;
import org.smc4j.ism.DmbException;
import org.smc4j.ism.IsmDevice;

/** A TCP connection and a sideband connection to an honest server, and the steps of an honest handshake to deviate from. */
final class LyingClient implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 5000;
    private static final int DMB_SIZE = 65536;

    final Socket socket = new Socket();
    final Sideline line;
    final byte[] tuple;
    final Arena arena = Arena.ofShared();
    long id = 1;
    /** Our DMB, into which the server writes, and the descriptors that we pass for it. */
    IsmDevice.Registered own;
    int ownDoorbell;
    /** The server's DMB, into which we write. */
    Dmb peer;
    int peerDoorbell = -1;

    LyingClient(int port) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE_MILLIS);
        tuple = Wire.tuple(socket);
        line = Sideline.connect(Wire.listener(port));
        ownDoorbell = Linux.eventfd();
        try {
            own = Wire.DEVICE.registerDmb(DMB_SIZE, arena);
        } catch (DmbException e) {
            throw new IOException(e);
        }
    }

    /** Proposes and takes the server's Accept. */
    LyingClient proposed() throws ClcException, DmbException {
        line.send(Wire.PROPOSAL, id, tuple, Wire.proposal());
        Sideline.Received accept = line.receive(Wire.ACCEPT, PATIENCE_MILLIS);
        if (accept == null) {
            throw new IllegalStateException("no Accept");
        }
        ClcAcceptConfirmD answer = accept.envelope().answer();
        peer = Wire.DEVICE.attachDmb(answer.dmbToken(), Dmb.sizeOf(answer.sizeCode()), accept.descriptors()[0], arena);
        Linux.close(accept.descriptors()[0]);
        peerDoorbell = accept.descriptors()[1];
        return this;
    }

    void confirm(int... descriptors) {
        line.send(Wire.CONFIRM, id, tuple, Wire.answer(ClcType.CONFIRM, own.dmb()), descriptors);
    }

    /** The whole handshake as it should be. */
    LyingClient switched() throws ClcException, DmbException {
        proposed();
        confirm(own.descriptor(), ownDoorbell);
        if (line.receive(Wire.READY, PATIENCE_MILLIS) == null) {
            throw new IllegalStateException("not ready");
        }
        return this;
    }

    Ring ring() {
        return new Ring(own.dmb(), peer, peerDoorbell);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        line.close();
        Linux.close(own.descriptor());
        Linux.close(ownDoorbell);
        if (peerDoorbell >= 0) {
            Linux.close(peerDoorbell);
        }
        arena.close();
    }
}
