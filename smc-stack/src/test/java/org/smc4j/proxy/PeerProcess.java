package org.smc4j.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import org.smc4j.time.EventLoop;

/**
 * A process of a host, which is an address of the loopback interface or a network namespace. It does what it is told line by line
 * and says what happens. As a server it accepts what is proposed for a connection that it has accepted, as a real one does.
 */
final class PeerProcess implements HostSideband.Proposals, Exchange.Handler {
    private static final int ACCEPT_BACKLOG = 50;
    private static final int ANSWER_MILLIS = 10_000;

    private final String name;
    private final InetAddress address;
    private final EventLoop loop = new EventLoop("peer-process");
    private HostSideband sideband;
    // Used on the thread of the loop only.
    private final Map<Integer, Socket> connections = new HashMap<>();
    private final Map<Exchange, Integer> outgoing = new HashMap<>();
    private final Set<FourTuple> accepted = new HashSet<>();
    private final Set<Integer> silentPorts = new HashSet<>();
    private final List<Exchange> pending = new ArrayList<>();

    private PeerProcess(String name, InetAddress address) {
        this.name = name;
        this.address = address;
    }

    public static void main(String[] arguments) throws Exception {
        PeerProcess process = new PeerProcess(arguments[0], InetAddress.getByName(arguments[1]));
        Sysctl sysctl = Sysctl.load(null);
        Log.level(sysctl.text(Tunable.LOG));
        process.loop.start();
        process.loop.execute(() -> process.sideband = new HostSideband(sysctl, process.loop, process));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = in.readLine()) != null) {
            process.command(line.split(" "));
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private void command(String[] words) throws IOException {
        switch (words[0]) {
            case "describe" -> loop.execute(() -> say("is " + sideband.describe()));
            case "listen", "listen-silently" -> listen(Integer.parseInt(words[1]), words[0].equals("listen"));
            case "connect" -> connect(Integer.parseInt(words[1]), words[2], Integer.parseInt(words[3]));
            case "propose" -> loop.execute(() -> propose(Integer.parseInt(words[1])));
            case "check" -> loop.execute(() -> check(words[1], Integer.parseInt(words[2])));
            case "abandon" -> loop.execute(() -> {
                for (Map.Entry<Exchange, Integer> entry : outgoing.entrySet()) {
                    if (entry.getValue() == Integer.parseInt(words[1])) {
                        entry.getKey().abandon();
                    }
                }
            });
            case "intrude" -> intrude(words[1]);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private void listen(int port, boolean answers) throws IOException {
        ServerSocket listener = new ServerSocket(port, ACCEPT_BACKLOG, address);
        Thread thread = new Thread(() -> acceptAll(listener));
        thread.setDaemon(true);
        thread.start();
        loop.execute(() -> {
            if (!answers) {
                silentPorts.add(port);
            }
            sideband.publish(address, port);
            say("listens " + port);
        });
    }

    private void acceptAll(ServerSocket listener) {
        try {
            while (true) {
                Socket socket = listener.accept();
                FourTuple tuple = new FourTuple(socket.getInetAddress().getAddress(), socket.getPort(),
                        socket.getLocalAddress().getAddress(), socket.getLocalPort());
                loop.execute(() -> {
                    accepted.add(tuple);
                    pending.removeIf(this::answer);
                });
            }
        } catch (IOException e) {
            say("no longer accepts: " + e);
        }
    }

    private void connect(int number, String host, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(new InetSocketAddress(InetAddress.getByName(host), port));
        loop.execute(() -> {
            connections.put(number, socket);
            say("connected " + number);
        });
    }

    private void propose(int number) {
        Socket socket = connections.get(number);
        FourTuple tuple = new FourTuple(socket.getLocalAddress().getAddress(), socket.getLocalPort(),
                socket.getInetAddress().getAddress(), socket.getPort());
        outgoing.put(sideband.propose(tuple, bytes("proposal of " + name), this), number);
        say("proposed " + number);
    }

    private void check(String host, int port) {
        try {
            FourTuple tuple = new FourTuple(address.getAddress(), 0, InetAddress.getByName(host).getAddress(), port);
            outgoing.put(sideband.check(tuple, bytes("question"), this), 0);
        } catch (IOException e) {
            throw new IllegalArgumentException(host, e);
        }
    }

    /** Connects to somebody else's proxy as no member may. */
    private static void intrude(String proxyName) {
        int fd = UnixSocket.open();
        int result = UnixSocket.connect(fd, proxyName);
        if (result == 0) {
            result = UnixSocket.send(fd, new LocalFrame.Join(new byte[LocalFrame.Join.SETTINGS_SIZE]).encode());
        }
        boolean answered = false;
        try (Epoll epoll = Epoll.open(1)) {
            epoll.add(fd, Epoll.IN);
            epoll.await(ANSWER_MILLIS);
            answered = UnixSocket.receive(fd) != null;
        } catch (UnixSocket.Unavailable e) {
            result = e.result();
        }
        say(answered ? "answered" : result == -Errno.EAGAIN ? "ignored" : "hung up on");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // -- Server --

    @Override
    public Exchange.Handler proposed(Exchange exchange) {
        say("heard " + exchange.type() + " " + text(exchange.proposal()) + " for " + exchange.tuple().serverPort());
        if (!answer(exchange)) {
            pending.add(exchange);
        }
        return this;
    }

    private boolean answer(Exchange exchange) {
        if (exchange.type() == Type.CHECK) {
            exchange.send(Type.READY, new byte[0]);
            return true;
        }
        if (!accepted.contains(exchange.tuple()) || silentPorts.contains(exchange.tuple().serverPort())) {
            return false;
        }
        exchange.send(Type.ACCEPT, bytes("accept of " + name));
        return true;
    }

    // -- Both --

    @Override
    public void received(Exchange exchange, Type type, byte[] payload) {
        String what = exchange.isIncoming() ? "server" : "client " + outgoing.get(exchange);
        say(what + " " + type + " " + text(payload));
        switch (type) {
            case ACCEPT -> exchange.send(Type.CONFIRM, bytes("confirm of " + name));
            case CONFIRM -> exchange.send(Type.READY, bytes("ready of " + name));
            default -> {
            }
        }
    }

    @Override
    public void ended(Exchange exchange, DeclineReason reason, byte[] payload) {
        say((exchange.isIncoming() ? "server" : "client " + outgoing.get(exchange)) + " ended " + reason);
    }

    /** The system properties of a process with such settings. */
    static List<String> options(String bind, int port, String secretFile, String... more) {
        List<String> options = new ArrayList<>(List.of("-D" + Tunable.SIDEBAND_PORT.key() + "=" + port,
                "-D" + Tunable.SIDEBAND_BIND.key() + "=" + bind, "-D" + Tunable.SIDEBAND_RETRY_MS.key() + "=100",
                "-D" + Tunable.SIDEBAND_SECRET_FILE.key() + "=" + secretFile));
        options.addAll(List.of(more));
        return options;
    }
}
