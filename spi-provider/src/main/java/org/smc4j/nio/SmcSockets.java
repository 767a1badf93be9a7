package org.smc4j.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.sideband.Directory;
import org.smc4j.sideband.Endpoint;
import org.smc4j.sideband.Sideband;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.Counters;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.SocketStatus;
import org.smc4j.stream.SmcStream;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketEvents;
import sun.nio.ch.SocketHandle;
import sun.nio.ch.SocketHooks;

/** All sockets of this process that the agent follows, and what they share. */
public final class SmcSockets extends SocketEvents implements Directory {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_MICRO = 1_000L;
    private static final long REPORT_SECONDS = 2;
    /** The kernel's name of the option. */
    private static final String LIMIT_HANDSHAKES = "SMC_LIMIT_HS";

    private record Accepted(InetAddress remote, int remotePort, int localPort) {
    }

    private final Sysctl sysctl;
    private final Statistics statistics = new Statistics();
    private final ConcurrentHashMap<Accepted, SmcSocket> accepted = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<EpollSet> epollSets = new CopyOnWriteArrayList<>();
    private final AtomicReferenceArray<EpollSet> epollSetsByFd = new AtomicReferenceArray<>(1 << 16);
    private volatile Sideband sideband;  // made under this
    private volatile Wakeups wakeups;    // started under this
    private final CountDownLatch needed = new CountDownLatch(1);
    private boolean opened;              // this
    private boolean shut;                // this

    public SmcSockets(Sysctl sysctl) {
        this.sysctl = sysctl;
    }

    /** Waits until something needs to know whether connections may leave TCP, at most for {@code millis}. */
    public void awaitNeed(long millis) throws InterruptedException {
        needed.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends {@link #awaitNeed}. */
    public void need() {
        needed.countDown();
    }

    /** Connections may leave TCP from now on; before, nobody hears of handshakes that are due. */
    public synchronized void open() {
        opened = true;
        if (sideband != null) {
            sideband.start();
        }
    }

    /** No connection will ever leave TCP. */
    public synchronized void shut() {
        shut = true;
        if (sideband != null) {
            sideband.end();
        }
    }

    // -- What the JDK's socket code reports --

    @Override
    public void connected(int fd) {
        // Also while smc.enabled is false: the handshake says so then, and the connection shows why it is TCP.
        if (HandleTable.get(fd) == null) {
            SmcSocket socket = new SmcSocket(this, fd, true);
            HandleTable.put(fd, socket);
            statistics.connected();
            // At once if that is what is configured.
            socket.proposeWhenDue();
        }
    }

    @Override
    public void accepted(int listener, int fd, InetSocketAddress remote) {
        if (HandleTable.get(listener) instanceof ListenerHandle listening) {
            SmcSocket socket = new SmcSocket(this, fd, false);
            socket.peer(remote, listening.port());
            HandleTable.put(fd, socket);
            accepted.put(new Accepted(remote.getAddress(), remote.getPort(), listening.port()), socket);
            statistics.accepted();
            sideband().accepted(remote.getAddress(), remote.getPort(), listening.port());
        }
    }

    @Override
    public void listening(int fd, InetSocketAddress local) {
        SocketHandle known = HandleTable.get(fd);
        if (known == null || known instanceof ListenerHandle early && !early.isListening()) {
            ListenerHandle listener = new ListenerHandle(this, fd, local.getPort());
            HandleTable.put(fd, listener);
            sideband().publish(fd);
            if (known instanceof ListenerHandle early && early.handshakeLimit() != null) {
                listener.handshakeLimit(early.handshakeLimit());
                sideband().limitHandshakes(fd, early.handshakeLimit());
            }
        }
    }

    @Override
    public void notListening(int fd) {
        if (HandleTable.get(fd) instanceof ListenerHandle listener && listener.isListening()) {
            listener.close();
            if (listener.handshakeLimit() != null) {
                ListenerHandle early = new ListenerHandle(this, fd, 0);
                early.handshakeLimit(listener.handshakeLimit());
                HandleTable.put(fd, early);
            }
        }
    }

    @Override
    public boolean setListenerOption(int fd, String option, Object value) {
        if (!isListenerOption(fd, option)) {
            return false;
        }
        if (!(value instanceof Boolean limit)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        ListenerHandle listener = HandleTable.get(fd) instanceof ListenerHandle known ? known
                : new ListenerHandle(this, fd, 0);
        listener.handshakeLimit(limit);
        HandleTable.put(fd, listener);
        if (listener.isListening()) {
            sideband().limitHandshakes(fd, limit);
        }
        return true;
    }

    @Override
    public Object listenerOption(int fd, String option) {
        if (!isListenerOption(fd, option)) {
            return null;
        }
        return HandleTable.get(fd) instanceof ListenerHandle listener && listener.handshakeLimit() != null
                ? listener.handshakeLimit() : (Boolean) sysctl.flag(Tunable.LIMIT_SMC_HS);
    }

    /** Sockets of the UNIX domain are the same class of the JDK. */
    private static boolean isListenerOption(int fd, String option) {
        return option.equals(LIMIT_HANDSHAKES) && SocketAddresses.local(fd) != null;
    }

    void listenerClosed(int fd) {
        Sideband current = sideband;
        if (current != null) {
            current.unpublish(fd);
        }
    }

    @Override
    public Endpoint accepted(InetAddress remote, int remotePort, int localPort) {
        return accepted.get(new Accepted(remote, remotePort, localPort));
    }

    private Sideband sideband() {
        Sideband current = sideband;
        if (current == null) {
            synchronized (this) {
                current = sideband;
                if (current == null) {
                    current = new Sideband(sysctl, this, this::report);
                    sideband = current;
                    need();
                    if (opened) {
                        current.start();
                    } else if (shut) {
                        current.end();
                    }
                }
            }
        }
        return current;
    }

    Wakeups wakeups() {
        Wakeups current = wakeups;
        if (current == null) {
            synchronized (this) {
                current = wakeups;
                if (current == null) {
                    current = Wakeups.start();
                    wakeups = current;
                }
            }
        }
        return current;
    }

    /** Whether attached connections can be watched: the first one needs a descriptor for that. */
    boolean canWatch() {
        try {
            wakeups();
            return true;
        } catch (IllegalStateException e) {
            Log.debug("a connection stays TCP: " + e.getMessage());
            return false;
        }
    }

    // -- What the sockets need --

    long switchAfterBytes() {
        return sysctl.number(Tunable.SWITCH_AFTER_BYTES);
    }

    long switchWaitNanos() {
        return sysctl.number(Tunable.SWITCH_WAIT_MS) * NANOS_PER_MILLI;
    }

    boolean overflows() {
        return sysctl.flag(Tunable.OVERFLOW);
    }

    long busyPollNanos() {
        return sysctl.number(Tunable.BUSY_POLL_US) * NANOS_PER_MICRO;
    }

    void propose(SmcSocket socket) {
        sideband().propose(socket);
    }

    /** The sideband's thread has attached the socket to a stream; the socket's monitor is held. */
    void attached(SmcSocket socket, SmcStream stream) {
        statistics.attached(socket.isClient(), stream);
        wakeups().watchConnection(socket);
        for (EpollSet set : epollSets) {
            set.attached(socket);
        }
    }

    /** Keeps interrupting a thread that reads from TCP until it has left the system call. */
    void interruptWhileNativeRead(SmcSocket socket) {
        if (socket.nativeReader().interrupt()) {
            sideband().retry(socket.nativeReader()::interrupt);
        }
    }

    void retry(Sideband.Retry retry) {
        sideband().retry(retry);
    }

    void closed(SmcSocket socket, SmcStream stream) {
        InetSocketAddress peer = socket.peer();
        if (peer != null) {
            accepted.remove(new Accepted(peer.getAddress(), peer.getPort(), socket.localPort()), socket);
        }
        for (EpollSet set : epollSets) {
            set.closing(socket);
        }
        if (stream == null && socket.reasonCode() == SmcSocket.UNDECIDED) {
            if (socket.isProposed()) {
                sideband().cancel(socket);
            } else if (!socket.isClient()) {
                // Nobody proposed anything; only now is it sure.
                statistics.fallback(ReasonCode.PEERNOSMC.number());
            }
        }
        if (stream != null) {
            wakeups().forget(socket, stream.ownDoorbell());
            if (stream.close()) {
                statistics.ended(stream);
                sideband().release(socket, stream);
            }
        }
    }

    // -- Epoll instances of the JDK --

    private EpollSet epollSet(int epoll) {
        return epoll < epollSetsByFd.length() ? epollSetsByFd.get(epoll) : null;
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, int interest) {
        EpollSet set = epollSet(epoll);
        if (set == null) {
            if (epoll >= epollSetsByFd.length()) {
                return SocketHooks.kernelControl(epoll, operation, fd, interest);
            }
            set = newEpollSet(epoll);
        }
        return set.control(operation, fd, interest, HandleTable.get(fd) instanceof SmcSocket socket ? socket : null);
    }

    private synchronized EpollSet newEpollSet(int epoll) {
        EpollSet set = epollSet(epoll);
        if (set == null) {
            set = new EpollSet(epoll, new Patience(this));
            epollSets.add(set);
            epollSetsByFd.set(epoll, set);
        }
        return set;
    }

    @Override
    public int epollWait(int epoll, long events, int capacity, int millis) throws IOException {
        EpollSet set = epollSet(epoll);
        return set == null ? SocketHooks.kernelWait(epoll, events, capacity, millis)
                : set.await(events, capacity, millis, Thread.currentThread().isVirtual());
    }

    @Override
    public synchronized void epollClosed(int epoll) {
        EpollSet set = epollSet(epoll);
        if (set != null) {
            set.close();
            epollSets.remove(set);
            epollSetsByFd.set(epoll, null);
        }
    }

    // -- For diagnosis --

    Statistics statistics() {
        return statistics;
    }

    public Sysctl sysctl() {
        return sysctl;
    }

    /** How many connections are open now. */
    private static int connections() {
        int count = 0;
        for (int fd = HandleTable.next(0); fd >= 0; fd = HandleTable.next(fd + 1)) {
            if (HandleTable.get(fd) instanceof SmcSocket) {
                count++;
            }
        }
        return count;
    }

    /** The listeners and open connections, each as it is at that moment. */
    public List<SocketStatus> status() {
        return SocketStatuses.sockets();
    }

    /** What was counted since the start. */
    public Counters counters() {
        return statistics.snapshot(connections());
    }

    /**
     * The link groups, their links and devices, as they are at this moment; waits for the threads that know them.
     *
     * @throws IllegalStateException if they do not answer within two seconds
     */
    public LinkGroupReport linkGroups() {
        Sideband current = sideband;
        if (current == null) {
            return LinkGroupReport.NONE;
        }
        CompletableFuture<LinkGroupReport> answer = new CompletableFuture<>();
        current.linkGroups(answer::complete);
        try {
            return answer.get(REPORT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("the sideband does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private List<String> report(SidebandQuery.Topic topic) {
        if (topic == SidebandQuery.Topic.COUNTERS) {
            return counters().encode();
        }
        List<String> lines = new ArrayList<>();
        for (SocketStatus socket : status()) {
            lines.add(socket.encode());
        }
        return lines;
    }

    /** One line about everything since the start, in the words of smc-tools. */
    public String summary() {
        return Statistics.summary(counters());
    }
}
