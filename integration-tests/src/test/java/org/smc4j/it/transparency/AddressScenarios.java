package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** IPv4, IPv6, mapped addresses, wildcard and specific listeners, explicit local addresses. */
final class AddressScenarios {
    private AddressScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (String[] pair : new String[][] {{"127.0.0.1", "127.0.0.1"}, {"0.0.0.0", "127.0.0.1"},
                {"127.0.0.5", "127.0.0.5"}, {"0.0.0.0", "127.0.0.9"}, {"0.0.0.0", "0.0.0.0"}, {"wildcard", "127.0.0.1"},
                {"127.0.0.1", "localhost"}, {"0.0.0.0", "own"}, {"own", "own"}, {"wildcard", "own"}}) {
            all.add(socket(pair[0], pair[1]));
            all.add(channel(pair[0], pair[1]));
        }
        for (String[] pair : new String[][] {{"::1", "::1"}, {"::", "::1"}, {"wildcard", "::1"}, {"::", "127.0.0.1"},
                {"127.0.0.1", "::ffff:127.0.0.1"}, {"::", "::ffff:127.0.0.1"}, {"::", "::"}}) {
            all.add(socket(pair[0], pair[1]).with(Scenario.Trait.IPV6));
            all.add(channel(pair[0], pair[1]).with(Scenario.Trait.IPV6));
        }
        all.addAll(families());
        all.addAll(binding());
        return all.stream().map(scenario -> scenario.with(Scenario.Trait.LOOPBACK)).toList();
    }

    private static InetSocketAddress address(final String host, final int port) throws IOException {
        return switch (host) {
            case "wildcard" -> new InetSocketAddress(port);
            case "own" -> new InetSocketAddress(own(), port);
            default -> new InetSocketAddress(InetAddress.getByName(host), port);
        };
    }

    /** An address of this host that is not a loopback one; the loopback if there is none. */
    private static InetAddress own() throws IOException {
        return java.net.NetworkInterface.networkInterfaces().flatMap(java.net.NetworkInterface::inetAddresses)
                .filter(a -> a instanceof java.net.Inet4Address && !a.isLoopbackAddress()).findFirst()
                .orElse(InetAddress.getByName("127.0.0.1"));
    }

    private static Scenario socket(final String listen, final String connect) {
        return Scenario.data("address.socket-at-" + text(listen) + "-reached-by-" + text(connect), end -> {
            final ServerSocket listener = end.keep(new ServerSocket());
            listener.bind(address(listen, 0));
            end.say("port", listener.getLocalPort());
            serve(end, end.keep(listener.accept()));
        }, end -> {
            final Socket socket = end.keep(new Socket());
            socket.connect(address(connect, end.hearInt("port")));
            ask(end, socket);
        });
    }

    private static Scenario channel(final String listen, final String connect) {
        return Scenario.data("address.channel-at-" + text(listen) + "-reached-by-" + text(connect), end -> {
            final ServerSocketChannel listener = end.keep(ServerSocketChannel.open());
            listener.bind(address(listen, 0));
            end.say("port", listener.socket().getLocalPort());
            serve(end, end.keep(listener.accept()).socket());
        }, end -> {
            final SocketChannel channel = end.keep(SocketChannel.open());
            channel.connect(address(connect, end.hearInt("port")));
            ask(end, channel.socket());
        });
    }

    private static String text(final String host) {
        return host.replace(':', '_');
    }

    /** The addresses that the halves see of each other must fit together, and look as without the agent. */
    private static void serve(final End end, final Socket socket) throws Exception {
        same(end.hearInt("client-port"), socket.getPort(), "remote port of the accepted socket");
        end.say("server-port", socket.getLocalPort());
        end.see("accepted socket", socket.getLocalAddress() + " from " + socket.getInetAddress());
        End.readAndCheck(socket.getInputStream(), new Content(1), 0, 20_000);
        socket.getOutputStream().write(new Content(2).bytes(0, 20_000));
    }

    private static void ask(final End end, final Socket socket) throws Exception {
        end.say("client-port", socket.getLocalPort());
        same(end.hearInt("server-port"), socket.getPort(), "remote port of the connected socket");
        end.see("connected socket", socket.getLocalAddress() + " to " + socket.getInetAddress());
        socket.getOutputStream().write(new Content(1).bytes(0, 20_000));
        End.readAndCheck(socket.getInputStream(), new Content(2), 0, 20_000);
    }

    private static List<Scenario> families() {
        return List.of(
                Scenario.data("address.channels-of-family-INET", end -> {
                    final ServerSocketChannel listener =
                            end.keep(ServerSocketChannel.open(StandardProtocolFamily.INET));
                    listener.bind(new InetSocketAddress("127.0.0.1", 0));
                    end.say("port", listener.socket().getLocalPort());
                    serve(end, end.keep(listener.accept()).socket());
                }, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open(StandardProtocolFamily.INET));
                    channel.connect(new InetSocketAddress("127.0.0.1", end.hearInt("port")));
                    ask(end, channel.socket());
                }),
                Scenario.data("address.channels-of-family-INET6", end -> {
                    final ServerSocketChannel listener =
                            end.keep(ServerSocketChannel.open(StandardProtocolFamily.INET6));
                    listener.bind(new InetSocketAddress("::1", 0));
                    end.say("port", listener.socket().getLocalPort());
                    serve(end, end.keep(listener.accept()).socket());
                }, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open(StandardProtocolFamily.INET6));
                    channel.connect(new InetSocketAddress("::1", end.hearInt("port")));
                    ask(end, channel.socket());
                }).with(Scenario.Trait.IPV6),
                Scenario.data("address.same-port-on-two-addresses", end -> {
                    final ServerSocket one = end.keep(new ServerSocket());
                    one.bind(new InetSocketAddress("127.0.0.1", 0));
                    final ServerSocket two = end.keep(new ServerSocket());
                    two.bind(new InetSocketAddress("127.0.0.2", one.getLocalPort()));
                    end.say("port", one.getLocalPort());
                    end.keep(one.accept()).getOutputStream().write(1);
                    end.keep(two.accept()).getOutputStream().write(2);
                }, end -> {
                    final int port = end.hearInt("port");
                    same(1, end.keep(new Socket("127.0.0.1", port)).getInputStream().read(), "answer of 127.0.0.1");
                    same(2, end.keep(new Socket("127.0.0.2", port)).getInputStream().read(), "answer of 127.0.0.2");
                }),
                Scenario.data("address.same-port-specific-beside-wildcard-of-another-family", end -> {
                    final ServerSocketChannel four = end.keep(ServerSocketChannel.open(StandardProtocolFamily.INET));
                    four.bind(new InetSocketAddress("127.0.0.1", 0));
                    final int port = four.socket().getLocalPort();
                    final ServerSocketChannel six = end.keep(ServerSocketChannel.open(StandardProtocolFamily.INET6));
                    six.bind(new InetSocketAddress("::1", port));
                    end.say("port", port);
                    end.keep(four.accept()).socket().getOutputStream().write(4);
                    end.keep(six.accept()).socket().getOutputStream().write(6);
                }, end -> {
                    final int port = end.hearInt("port");
                    same(4, end.keep(new Socket("127.0.0.1", port)).getInputStream().read(), "answer of 127.0.0.1");
                    same(6, end.keep(new Socket("::1", port)).getInputStream().read(), "answer of ::1");
                }).with(Scenario.Trait.IPV6),
                Scenario.of("address.unix-domain-channels", end -> {
                    final java.nio.file.Path file = java.nio.file.Files.createTempDirectory("unix").resolve("socket");
                    end.keep(() -> java.nio.file.Files.deleteIfExists(file.getParent()));
                    end.keep(() -> java.nio.file.Files.deleteIfExists(file));
                    final ServerSocketChannel listener =
                            end.keep(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
                    listener.bind(UnixDomainSocketAddress.of(file));
                    end.say("file", file);
                    end.keep(listener.accept()).write(ByteBuffer.wrap(new byte[] {5}));
                }, end -> {
                    final SocketChannel channel =
                            end.keep(SocketChannel.open(UnixDomainSocketAddress.of(end.hear("file"))));
                    final ByteBuffer buffer = ByteBuffer.allocate(4);
                    same(1, channel.read(buffer), "bytes");
                    same((byte) 5, buffer.get(0), "byte");
                }));
    }

    private static List<Scenario> binding() {
        return List.of(
                Scenario.data("address.client-bound-to-a-local-address-and-port", end -> {
                    final Socket socket = end.accept();
                    same(end.hear("local"), socket.getRemoteSocketAddress().toString(), "remote address");
                    socket.getOutputStream().write(1);
                }, end -> {
                    final Socket socket = end.keep(new Socket());
                    socket.bind(new InetSocketAddress("127.0.0.7", 0));
                    end.say("local", "/127.0.0.7:" + socket.getLocalPort());
                    socket.connect(end.peerAddress());
                    same(1, socket.getInputStream().read(), "byte");
                }),
                Scenario.data("address.client-constructor-with-local-address", end -> {
                    final Socket socket = end.accept();
                    same("/127.0.0.8", socket.getInetAddress().toString(), "remote address");
                    socket.getOutputStream().write(1);
                }, end -> {
                    final Socket socket = end.keep(new Socket(End.there(), end.hearInt("port"),
                            InetAddress.getByName("127.0.0.8"), 0));
                    same(1, socket.getInputStream().read(), "byte");
                }),
                Scenario.of("address.bind-errors", end -> {
                    final ServerSocket listener = end.listen();
                    fails(BindException.class, "bind to a used port",
                            () -> new ServerSocket(listener.getLocalPort(), 1, End.here()),
                                    "Address already in use");
                    fails(BindException.class, "bind to a foreign address",
                            () -> new ServerSocket(0, 1, InetAddress.getByName("203.0.113.77")),
                            "Cannot assign requested address");
                    final ServerSocketChannel channel = end.keep(ServerSocketChannel.open());
                    fails(BindException.class, "channel bound to a used port",
                            () -> channel.bind(new InetSocketAddress(End.here(), listener.getLocalPort())),
                            "Address already in use");
                    channel.bind(new InetSocketAddress(End.here(), 0));
                    fails(AlreadyBoundException.class, "second bind", () -> channel.bind(null));
                    end.keep(listener.accept()).getOutputStream().write(1);
                }, end -> {
                    final Socket socket = end.dial();
                    same(1, socket.getInputStream().read(), "the listener survived the failed binds");
                    fails(UnknownHostException.class, "connect of a Socket to an unresolved address",
                            () -> new Socket().connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)),
                            "nowhere.invalid");
                    fails(UnresolvedAddressException.class, "connect of a channel to an unresolved address",
                            () -> SocketChannel.open(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
                    fails(UnsupportedAddressTypeException.class, "connect of a channel to a UNIX address",
                            () -> end.keep(SocketChannel.open()).connect(UnixDomainSocketAddress.of("/x")));
                    fails(IllegalArgumentException.class, "port out of range", () -> new Socket("127.0.0.1", 70_000));
                }),
                Scenario.data("address.port-reused-at-once-by-the-next-listener", end -> {
                    int port = 0;
                    for (int i = 0; i < 10; i++) {
                        try (ServerSocket listener = new ServerSocket(port, 5, End.here())) {
                            port = listener.getLocalPort();
                            end.say("port", port);
                            try (Socket socket = listener.accept()) {
                                socket.getOutputStream().write(i);
                                same(-1, socket.getInputStream().read(), "end of stream");
                            }
                        }
                    }
                }, end -> {
                    for (int i = 0; i < 10; i++) {
                        final int port = end.hearInt("port");
                        try (Socket socket = new Socket(End.there(), port)) {
                            same(i, socket.getInputStream().read(), "byte of listener " + i);
                        }
                    }
                }));
    }
}
