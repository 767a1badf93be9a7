package org.smc4j.sideband;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.smc4j.carrier.FourTuple;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.remote.HostPeers;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.stream.SmcStream;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;

/**
 * The sideband of this process: published listeners, links to peers, and the thread that serves them. Public methods may be
 * called by any thread and never block; they hand the work to that thread, which also is the first to touch native code, so
 * that an application whose connections stay TCP never waits for it.
 */
public final class Sideband implements Runnable {
    private static final int EVENTS = 64;
    private static final int BACKLOG = 128;
    private static final int MAX_LINKS = 4096;
    /** One for each listener of ours that the process connects to. */
    private static final int MAX_LINKS_PER_PROCESS = 256;
    private static final int MESSAGES_PER_TURN = 64;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int RETRY_MILLIS = 2;
    private static final long PUBLISH_RETRY_NANOS = 100 * NANOS_PER_MILLI;
    private static final long IDLE_CHECK_MILLIS = 100;
    private static final long PUBLISH_WAIT_SECONDS = 1;
    private static final String NULL_DEVICE = "/dev/null";

    /** Something that did not work out yet and is tried again, on the sideband's thread. */
    public interface Retry {
        /** True if it has to be tried again. */
        boolean isPending();

        /** In milliseconds: after how long at most. */
        default int interval() {
            return RETRY_MILLIS;
        }
    }

    private static final class Listener {
        final int descriptor;
        String name;
        SocketAddresses.Address address;
        int socket = -1;
        long nextTry;
        Boolean limit;  // null if it was not told

        Listener(int descriptor) {
            this.descriptor = descriptor;
        }
    }

    final Sysctl sysctl;
    final Directory directory;
    private final StatusReport statusReport;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private volatile int wakeFd = -1;
    private volatile boolean waitsForAccept;
    private volatile boolean ended;

    /** Connections to and from other hosts; null if nothing is configured for them. */
    private final HostPeers hosts;

    // Used by the sideband's thread only.
    private Epoll epoll;
    private int uid;
    private Handshakes handshakes;
    private final Map<Integer, Listener> listeners = new HashMap<>();        // by TCP descriptor
    private final Map<Integer, Listener> listenerSockets = new HashMap<>();  // by sideband descriptor
    private final Map<Integer, Link> links = new HashMap<>();
    private final Map<String, Link> linksByName = new HashMap<>();
    private final Set<String> strangers = new HashSet<>();                   // names that were warned about
    private final List<Retry> retries = new ArrayList<>();
    private long acceptPausedUntil;

    /** Collects work until it is started. */
    public Sideband(Sysctl sysctl, Directory directory, StatusReport statusReport) {
        this.sysctl = sysctl;
        this.directory = directory;
        this.statusReport = statusReport;
        hosts = HostPeers.isConfigured(sysctl) ? new HostPeers(sysctl, directory, Handshakes.eids(sysctl)) : null;
    }

    /** Tells about the process, for the command line. */
    public interface StatusReport {
        /** Lines of text about sockets or counters; asked on the sideband's thread. */
        List<String> lines(SidebandQuery.Topic topic);
    }

    /** Starts the thread. */
    public void start() {
        Thread thread = new Thread(null, this, "smc4j-sideband", 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    /** Instead of {@link #start}: nothing is served, and nobody waits. */
    public void end() {
        ended = true;
        commands.clear();
    }

    // -- Called by any thread --

    /**
     * Publishes a listening TCP socket. Waits until that is done, at most a second: whoever connects after listen has returned
     * finds the name. The first listener of a process so waits for the thread to start and link its native calls.
     */
    public void publish(int descriptor) {
        CountDownLatch done = new CountDownLatch(1);
        boolean taken = submit(() -> {
            addListener(descriptor);
            done.countDown();
        });
        if (!taken) {
            return;
        }
        boolean interrupted = false;
        try {
            done.await(PUBLISH_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public void unpublish(int descriptor) {
        submit(() -> removeListener(descriptor));
    }

    /** Limits the handshakes of a published listener or not, whatever the process does otherwise. */
    public void limitHandshakes(int descriptor, boolean limit) {
        submit(() -> {
            Listener listener = listeners.get(descriptor);
            if (listener != null) {
                listener.limit = limit;
            }
        });
    }

    /** Proposes SMC to the server of a connected socket. */
    public void propose(Endpoint endpoint) {
        if (ended) {
            endpoint.declined(ReasonCode.INTERR.number());
            return;
        }
        submit(() -> handshakes.propose(endpoint));
    }

    /** A connection was closed before the end of its handshake. */
    public void cancel(Endpoint endpoint) {
        submit(() -> handshakes.cancel(endpoint));
        if (hosts != null) {
            hosts.cancel(endpoint);
        }
    }

    /** A connection was accepted: a Proposal may be waiting for it. */
    public void accepted(InetAddress client, int clientPort, int serverPort) {
        if (waitsForAccept) {
            submit(() -> handshakes.retryWaiting());
        }
        if (hosts != null) {
            hosts.accepted(client, clientPort, serverPort);
        }
    }

    public void retry(Retry retry) {
        submit(() -> retries.add(retry));
    }

    /**
     * The link groups of this process, their links and devices, each as they are at that moment; {@code receiver} is called on the
     * sideband's thread, or by the caller if that has ended, and then there are none.
     */
    public void linkGroups(Consumer<LinkGroupReport> receiver) {
        boolean taken = submit(() -> {
            LinkGroupReport ofThisHost = handshakes.report(links.values());
            if (hosts == null) {
                receiver.accept(ofThisHost);
            } else {
                hosts.report(report -> submit(() -> receiver.accept(report.and(ofThisHost))));
            }
        });
        if (!taken) {
            receiver.accept(LinkGroupReport.NONE);
        }
    }

    /** Null if connections to other hosts stay TCP. */
    HostPeers hosts() {
        return hosts;
    }

    /** Unmaps a closed stream. */
    public void release(Endpoint endpoint, SmcStream stream) {
        if (ended) {
            stream.release();
            return;
        }
        submit(() -> {
            for (Link link : links.values()) {
                link.attached.remove(endpoint);
            }
            handshakes.forget(endpoint);
            stream.release();
        });
    }

    /** False if nobody will ever run it. */
    private boolean submit(Runnable command) {
        if (ended) {
            return false;
        }
        commands.add(command);
        int fd = wakeFd;
        if (fd >= 0) {
            Linux.signal(fd);
        }
        return true;
    }

    // -- The thread --

    @Override
    public void run() {
        try {
            while (!hasDescriptors() || !open()) {
                Thread.sleep(IDLE_CHECK_MILLIS);
            }
            uid = Linux.uid();
            handshakes = new Handshakes(this);
            publishProcess();
            while (true) {
                try {
                    turn();
                } catch (RuntimeException e) {
                    // What one peer or socket does must not end the service of the others.
                    Log.unexpected("sideband", e);
                }
            }
        } catch (Throwable e) {
            end();
            Log.unexpected("the sideband ended, new connections stay TCP", e);
        }
    }

    /**
     * Whether the process has descriptors left; asked before the first native call, as that loads a library, and a class that
     * could not be initialised for lack of a descriptor stays so for ever.
     */
    private static boolean hasDescriptors() {
        try (var one = new FileInputStream(NULL_DEVICE); var another = new FileInputStream(NULL_DEVICE)) {
            return one.getFD().valid() && another.getFD().valid();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean open() {
        int wake = Linux.eventfd();
        if (wake < 0) {
            return false;
        }
        try {
            epoll = Epoll.open(EVENTS);
        } catch (IllegalStateException e) {
            Linux.close(wake);
            return false;
        }
        epoll.add(wake, Epoll.IN | Epoll.EDGE);
        wakeFd = wake;
        return true;
    }

    private void turn() {
        runCommands();
        int n = epoll.await(timeoutMillis());
        for (int i = 0; i < n; i++) {
            int fd = epoll.readyDescriptor(i);
            int events = epoll.readyEvents(i);
            Listener listener = listenerSockets.get(fd);
            if (listener != null) {
                acceptLinks(listener);
                continue;
            }
            Link link = links.get(fd);
            if (link != null) {
                serve(link, events);
            }
        }
        long now = System.nanoTime();
        handshakes.expire(now);
        if (handshakes.hasWaiting() && !waitsForAccept) {
            waitsForAccept = true;
            // What was accepted between the Proposal and now has told nobody.
            handshakes.retryWaiting();
        }
        waitsForAccept = handshakes.hasWaiting();
        retries.removeIf(retry -> !retry.isPending());
        if (acceptPausedUntil != 0 && now - acceptPausedUntil >= 0) {
            resumeAccepting();
        }
        for (Listener listener : listeners.values()) {
            if (listener.socket < 0 && now - listener.nextTry >= 0) {
                tryPublish(listener, now);
            }
        }
    }

    private void runCommands() {
        Runnable command;
        while ((command = commands.poll()) != null) {
            try {
                command.run();
            } catch (RuntimeException e) {
                Log.unexpected("sideband", e);
            }
        }
    }

    private int timeoutMillis() {
        if (!commands.isEmpty()) {
            return 0;
        }
        boolean unpublished = false;
        for (Listener listener : listeners.values()) {
            unpublished |= listener.socket < 0;
        }
        int timeout = unpublished || handshakes.isBusy() || acceptPausedUntil != 0 ? (int) IDLE_CHECK_MILLIS : -1;
        for (Retry retry : retries) {
            timeout = timeout < 0 ? retry.interval() : Math.min(timeout, retry.interval());
        }
        return timeout;
    }

    // -- Listeners --

    private void addListener(int descriptor) {
        Listener listener = new Listener(descriptor);
        listeners.put(descriptor, listener);
        tryPublish(listener, System.nanoTime());
    }

    private void tryPublish(Listener listener, long now) {
        if (listener.name == null) {
            SocketAddresses.Address local = SocketAddresses.local(listener.descriptor);
            if (local == null) {
                listener.nextTry = now + PUBLISH_RETRY_NANOS;
                return;
            }
            listener.name = SidebandName.listener(uid, local.bytes(), local.port());
            listener.address = local;
            if (hosts != null) {
                hosts.publish(local.bytes(), local.port());
            }
        }
        listener.socket = listen(listener.name);
        if (listener.socket >= 0) {
            listenerSockets.put(listener.socket, listener);
            Log.debug("published " + listener.name);
        } else {
            // The name may still belong to a socket that is being closed, or to a process that shares the port.
            listener.nextTry = now + PUBLISH_RETRY_NANOS;
        }
    }

    private int listen(String name) {
        int socket = UnixSocket.open();
        if (socket < 0) {
            return socket;
        }
        int result = UnixSocket.bind(socket, name);
        if (result == 0) {
            result = UnixSocket.listen(socket, BACKLOG);
        }
        if (result < 0) {
            Linux.close(socket);
            return result;
        }
        epoll.add(socket, Epoll.IN);
        return socket;
    }

    /** For {@code ss}: the process can be asked even if it listens nowhere. */
    private void publishProcess() {
        Listener process = new Listener(-1);
        process.name = SidebandName.process(uid, ProcessHandle.current().pid());
        process.socket = listen(process.name);
        if (process.socket >= 0) {
            listenerSockets.put(process.socket, process);
        }
    }

    private void removeListener(int descriptor) {
        Listener listener = listeners.remove(descriptor);
        if (hosts != null && listener != null && listener.address != null) {
            hosts.unpublish(listener.address.bytes(), listener.address.port());
        }
        if (listener != null && listener.socket >= 0) {
            listenerSockets.remove(listener.socket);
            Linux.close(listener.socket);
        }
    }

    /**
     * Whether the listener that accepts such a connection limits handshakes: as it was told, else as the process does.
     */
    boolean limitsHandshakes(FourTuple tuple) {
        for (String name : SidebandName.candidates(uid, tuple.server(), tuple.serverPort())) {
            for (Listener listener : listeners.values()) {
                if (name.equals(listener.name) && listener.limit != null) {
                    return listener.limit;
                }
            }
        }
        return sysctl.flag(Tunable.LIMIT_SMC_HS);
    }

    private void acceptLinks(Listener listener) {
        for (int i = 0; i < MESSAGES_PER_TURN; i++) {
            int fd = UnixSocket.accept(listener.socket);
            if (fd < 0) {
                if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                    pauseAccepting();
                }
                return;
            }
            UnixSocket.Credentials peer = UnixSocket.peerCredentials(fd);
            if (peer == null || !isTrusted(peer.uid()) || !makeRoom(peer)) {
                Log.debug("refused a sideband connection of " + peer);
                Linux.close(fd);
                continue;
            }
            addLink(new Link(fd, peer, null));
        }
    }

    /** At the limit, a link of the same process that serves nothing any more gives way; its listener may be long closed. */
    private boolean makeRoom(UnixSocket.Credentials peer) {
        int count = 0;
        Link idle = null;
        for (Link link : links.values()) {
            if (link.name == null && link.peer.pid() == peer.pid()) {
                count++;
                idle = link.isIdle() ? link : idle;
            }
        }
        if (links.size() < MAX_LINKS && count < MAX_LINKS_PER_PROCESS) {
            return true;
        }
        if (idle == null) {
            return false;
        }
        drop(idle);
        return true;
    }

    /** Out of descriptors: the pending connection would be reported again and again. */
    private void pauseAccepting() {
        acceptPausedUntil = System.nanoTime() + PUBLISH_RETRY_NANOS;
        for (Listener each : listenerSockets.values()) {
            epoll.modify(each.socket, 0);
        }
    }

    private void resumeAccepting() {
        acceptPausedUntil = 0;
        for (Listener each : listenerSockets.values()) {
            epoll.modify(each.socket, Epoll.IN);
        }
    }

    boolean isTrusted(int peerUid) {
        if (peerUid == uid) {
            return true;
        }
        for (int trusted : trustedUids(sysctl)) {
            if (trusted == peerUid) {
                return true;
            }
        }
        return false;
    }

    /** Users whose processes may be peers beside our own. */
    static int[] trustedUids(Sysctl sysctl) {
        String text = sysctl.text(Tunable.PEER_UIDS).replace(',', ' ').trim();
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] words = text.split(" +");
        int[] uids = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            uids[i] = Integer.parseUnsignedInt(words[i]);
        }
        return uids;
    }

    // -- Links --

    /** A link to whoever listens for connections to the address, or null if nobody there has an agent. */
    Link linkTo(byte[] address, int port) {
        Link link = linkTo(uid, address, port);
        if (link == null) {
            for (int trusted : trustedUids(sysctl)) {
                link = linkTo(trusted, address, port);
                if (link != null) {
                    return link;
                }
            }
        }
        return link;
    }

    private Link linkTo(int listenerUid, byte[] address, int port) {
        for (String name : SidebandName.candidates(listenerUid, address, port)) {
            Link known = linksByName.get(name);
            if (known != null) {
                return known;
            }
            int fd = UnixSocket.open();
            if (fd < 0) {
                return null;
            }
            if (UnixSocket.connect(fd, name) == 0) {
                UnixSocket.Credentials peer = UnixSocket.peerCredentials(fd);
                if (peer != null && isTrusted(peer.uid()) && links.size() < MAX_LINKS) {
                    Link link = new Link(fd, peer, name);
                    linksByName.put(name, link);
                    addLink(link);
                    return link;
                }
                if (strangers.add(name)) {
                    Log.warn("the name " + name + " belongs to " + peer + ", not used");
                }
            }
            Linux.close(fd);
        }
        return null;
    }

    private void addLink(Link link) {
        links.put(link.fd, link);
        epoll.add(link.fd, Epoll.IN | Epoll.RDHUP);
        Log.debug("link to " + link);
    }

    private void serve(Link link, int events) {
        boolean alive = (events & Epoll.OUT) == 0 || link.flush();
        int messages = 0;
        while (alive && messages++ < MESSAGES_PER_TURN) {
            try {
                UnixSocket.Message message = UnixSocket.receive(link.fd);
                alive = message != null && handle(link, message);
            } catch (UnixSocket.Unavailable e) {
                alive = e.result() == -Errno.EAGAIN || e.result() == -Errno.EINTR;
                break;
            }
        }
        if (alive) {
            handshakes.proposeNext(link);
        }
        if (alive && links.get(link.fd) == link) {
            epoll.modify(link.fd, Epoll.IN | Epoll.RDHUP | (link.hasQueued() ? Epoll.OUT : 0));
        } else {
            drop(link);
        }
    }

    private boolean handle(Link link, UnixSocket.Message message) {
        boolean taken = false;
        try {
            Envelope envelope = Envelope.decode(message.bytes());
            switch (envelope.type()) {
                case STATUS -> {
                    return report(link, envelope);
                }
                case REPORT -> {
                    return true;
                }
                default -> {
                    taken = handshakes.handle(link, envelope, message);
                    return links.get(link.fd) == link;
                }
            }
        } catch (Envelope.MalformedException e) {
            Log.debug(link + ": " + e.getMessage());
            return false;
        } catch (RuntimeException e) {
            // No peer may end the sideband of all others.
            Log.unexpected("sideband", e);
            return false;
        } finally {
            if (!taken) {
                message.closeDescriptors();
            }
        }
    }

    private boolean report(Link link, Envelope question) {
        SidebandQuery.Topic topic = SidebandQuery.Topic.decode(question.payload());
        if (topic == SidebandQuery.Topic.LINK_GROUPS) {
            if (link.reporting) {
                return false;
            }
            link.reporting = true;
            linkGroups(report -> {
                link.reporting = false;
                if (links.get(link.fd) == link && !answer(link, report.encode())) {
                    drop(link);
                }
            });
            return true;
        }
        return answer(link, topic == null ? List.of() : statusReport.lines(topic));
    }

    private boolean answer(Link link, List<String> lines) {
        // Whoever asks again before it has read the answer must not make us store both.
        boolean alive = !link.hasQueued() && link.sendAll(Reports.envelopes(lines));
        if (alive && link.hasQueued()) {
            epoll.modify(link.fd, Epoll.IN | Epoll.RDHUP | Epoll.OUT);
        }
        return alive;
    }

    /** Sends, and drops the link if that fails. */
    void send(Link link, Envelope envelope, int... descriptors) {
        if (!link.send(envelope, descriptors)) {
            drop(link);
        } else if (link.hasQueued()) {
            epoll.modify(link.fd, Epoll.IN | Epoll.RDHUP | Epoll.OUT);
        }
    }

    private void drop(Link link) {
        if (!links.remove(link.fd, link)) {
            return;
        }
        Log.debug("end of the link to " + link);
        if (link.name != null) {
            linksByName.remove(link.name, link);
        }
        epoll.remove(link.fd);
        handshakes.linkEnded(link);
        link.close();
    }
}
