package org.smc4j.roce.software;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.clc.Gid;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.roce.RoceException;

/**
 * Where peers reach the queue pairs of a {@link SocketRnic}, without a registry: the low 16 bits of a queue pair's number are a
 * TCP port at which the device listens on the address of each of its GIDs, the high 8 bits count the queue pairs behind it. When
 * all 256 of a port are in use, there is another one.
 */
final class Listeners {
    private static final int NUMBERS_PER_PORT = 256;
    private static final int PORT_BITS = 16;
    private static final int PORT_MASK = 0xFFFF;
    private static final int MOST_PORTS = 256;
    private static final int BACKLOG = 64;
    /** A port that the kernel chose on one address may be taken on another. */
    private static final int ATTEMPTS = 16;
    private static final int ACCEPTS_PER_TURN = 16;

    /** Takes the connections; on the device's thread. */
    interface Acceptor {
        void accepted(int descriptor, SocketPort port);
    }

    /** An address to listen on. */
    record Place(SocketPort port, Gid gid) {
    }

    private static final class TcpPort {
        final int number;
        final Map<Place, Listener> listeners = new HashMap<>();
        final BitSet used = new BitSet(NUMBERS_PER_PORT);
        int next = ThreadLocalRandom.current().nextInt(NUMBERS_PER_PORT);

        TcpPort(int number) {
            this.number = number;
        }
    }

    private final class Listener implements NetworkThread.Served {
        private final int descriptor;
        private final Place place;
        /** The network thread only. */
        private int slot = -1;

        Listener(int descriptor, Place place) {
            this.descriptor = descriptor;
            this.place = place;
        }

        void serve() {
            TcpSocket.dropIncoming(descriptor, place.port().isCut());
            slot = thread.serve(descriptor, this, Epoll.IN);
        }

        @Override
        public void ready(int events) {
            for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
                int accepted = TcpSocket.accept(descriptor);
                if (accepted < 0) {
                    return;
                }
                acceptor.accepted(accepted, place.port());
            }
        }

        @Override
        public void close() {
            if (slot >= 0) {
                thread.forget(slot);
                slot = -1;
            }
            Linux.close(descriptor);
        }
    }

    private final NetworkThread thread;
    private final Acceptor acceptor;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final List<TcpPort> ports = new ArrayList<>();
    private Set<Place> places = new HashSet<>();

    Listeners(NetworkThread thread, Acceptor acceptor) {
        this.thread = thread;
        this.acceptor = acceptor;
    }

    /** A number for a queue pair. Opens sockets if all numbers are in use. */
    int allocate() throws RoceException {
        lock.lock();
        try {
            TcpPort port = portWithRoom();
            do {
                port.next = (port.next + 1) % NUMBERS_PER_PORT;
            } while (port.used.get(port.next));
            port.used.set(port.next);
            return port.next << PORT_BITS | port.number;
        } finally {
            lock.unlock();
        }
    }

    private TcpPort portWithRoom() throws RoceException {
        for (TcpPort port : ports) {
            if (port.used.cardinality() < NUMBERS_PER_PORT) {
                return port;
            }
        }
        if (ports.size() == MOST_PORTS) {
            throw new RoceException("the device has no room for another queue pair");
        }
        if (places.isEmpty()) {
            throw new RoceException("the device has no GID that it can be reached at");
        }
        return open();
    }

    void release(int number) {
        lock.lock();
        try {
            for (TcpPort port : ports) {
                if (port.number == (number & PORT_MASK)) {
                    port.used.clear(number >>> PORT_BITS);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The device has these addresses from now on.
     *
     * @return those at which all its queue pairs can be reached
     */
    Set<Place> update(Set<Place> now) {
        lock.lock();
        try {
            Set<Place> reachable = new HashSet<>(now);
            for (TcpPort port : ports) {
                closeAllBut(port, now);
                reachable.removeIf(place -> !listen(port, place));
            }
            places = reachable;
            if (ports.isEmpty()) {
                openFirst();
            }
            return places;
        } finally {
            lock.unlock();
        }
    }

    private void closeAllBut(TcpPort port, Set<Place> kept) {
        port.listeners.values().removeIf(listener -> {
            boolean gone = !kept.contains(listener.place);
            if (gone) {
                thread.execute(listener::close);
            }
            return gone;
        });
    }

    /** Leaves out addresses that cannot be used yet, such as an IPv6 address that may be a duplicate. */
    private void openFirst() {
        places.removeIf(place -> {
            int descriptor = bind(place, 0);
            if (descriptor < 0) {
                return true;
            }
            Linux.close(descriptor);
            return false;
        });
        if (!places.isEmpty()) {
            try {
                open();
            } catch (RoceException e) {
                places = new HashSet<>();
            }
        }
    }

    /** Opens a TCP port that is free at all places. */
    private TcpPort open() throws RoceException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            TcpPort port = null;
            boolean complete = true;
            for (Place place : places) {
                if (port == null) {
                    int descriptor = bind(place, 0);
                    if (descriptor < 0) {
                        throw new RoceException("cannot listen: " + Errno.describe(descriptor));
                    }
                    port = new TcpPort(SocketAddresses.local(descriptor).port());
                    add(port, place, descriptor);
                } else {
                    complete &= listen(port, place);
                }
            }
            if (complete) {
                ports.add(port);
                return port;
            }
            closeAllBut(port, Set.of());
        }
        throw new RoceException("no TCP port is free at all addresses of the device");
    }

    /** Whether the port is listened at there, now or before. */
    private boolean listen(TcpPort port, Place place) {
        if (port.listeners.containsKey(place)) {
            return true;
        }
        int descriptor = bind(place, port.number);
        if (descriptor < 0) {
            return false;
        }
        add(port, place, descriptor);
        return true;
    }

    private void add(TcpPort port, Place place, int descriptor) {
        Listener listener = new Listener(descriptor, place);
        port.listeners.put(place, listener);
        thread.execute(listener::serve);
    }

    private static int bind(Place place, int tcpPort) {
        byte[] address = SocketPort.address(place.gid());
        int descriptor = TcpSocket.open(address.length);
        if (descriptor < 0) {
            return descriptor;
        }
        int result = TcpSocket.bind(descriptor, new SocketAddresses.Address(address, tcpPort), place.port().scope(place.gid()));
        if (result == 0) {
            result = TcpSocket.listen(descriptor, BACKLOG);
        }
        if (result < 0) {
            Linux.close(descriptor);
            return result;
        }
        return descriptor;
    }

    /** Lets the kernel drop what arrives for the listening sockets of a port, or not any more. */
    void cut(SocketPort of, boolean cut) {
        lock.lock();
        try {
            for (TcpPort port : ports) {
                for (Listener listener : port.listeners.values()) {
                    if (listener.place.port() == of) {
                        TcpSocket.dropIncoming(listener.descriptor, cut);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
