package org.smc4j.stream;

import java.lang.foreign.Arena;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;
import org.smc4j.ism.DmbException;
import org.smc4j.ism.EmulatedIsm;
import org.smc4j.ism.IsmDevice;

/** Both ends of one connection in one process, over real memfds mapped twice, as two processes have them. */
final class StreamPair implements AutoCloseable {
    final SmcStream client;
    final SmcStream server;
    final Dmb serverViewOfClientDmb;

    StreamPair(int size) throws DmbException {
        EmulatedIsm device = new EmulatedIsm();
        Arena clientArena = Arena.ofShared();
        Arena serverArena = Arena.ofShared();
        IsmDevice.Registered clientDmb = device.registerDmb(size, clientArena);
        IsmDevice.Registered serverDmb = device.registerDmb(size, serverArena);
        Dmb clientView = device.attachDmb(serverDmb.dmb().token(), size, serverDmb.descriptor(), clientArena);
        serverViewOfClientDmb = device.attachDmb(clientDmb.dmb().token(), size, clientDmb.descriptor(), serverArena);
        int clientBell = Linux.eventfd();
        int serverBell = Linux.eventfd();
        client = new DmbStream(clientArena, clientDmb.dmb(), clientView, clientBell, Linux.duplicate(serverBell), () -> false);
        server = new DmbStream(serverArena, serverDmb.dmb(), serverViewOfClientDmb, serverBell, Linux.duplicate(clientBell),
                () -> false);
        Linux.close(clientDmb.descriptor());
        Linux.close(serverDmb.descriptor());
    }

    @Override
    public void close() {
        if (client.close()) {
            client.release();
        }
        if (server.close()) {
            server.release();
        }
    }
}
