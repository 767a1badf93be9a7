package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;

/** Options, addresses and texts of every kind of socket: all of it as without the agent. */
final class OptionScenarios {
    private OptionScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        all.add(Scenario.of("option.socket", end -> {
            final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
            // Before the client can connect: accepted sockets inherit these.
            record(end, "ServerSocket", listener.supportedOptions(), listener::getOption, listener::setOption);
            end.say("port", listener.getLocalPort());
            final Socket socket = end.keep(listener.accept());
            end.meet("connected");
            record(end, "accepted Socket", socket.supportedOptions(), socket::getOption, socket::setOption);
            legacy(end, "accepted Socket", socket);
            exchange(socket);
            legacy(end, "accepted Socket after data", socket);
        }, end -> {
            final Socket fresh = end.keep(new Socket());
            record(end, "unconnected Socket", fresh.supportedOptions(), fresh::getOption, fresh::setOption);
            final Socket socket = end.dial();
            end.meet("connected");
            record(end, "connected Socket", socket.supportedOptions(), socket::getOption, socket::setOption);
            legacy(end, "connected Socket", socket);
            exchange(socket);
            legacy(end, "connected Socket after data", socket);
            fresh.close();
            end.see("option of a closed socket", LifeScenarios.outcome(() ->
                    fresh.getOption(StandardSocketOptions.TCP_NODELAY)));
        }));
        all.add(Scenario.of("option.channel", end -> {
            final ServerSocketChannel listener = end.keep(ServerSocketChannel.open());
            listener.bind(new InetSocketAddress(End.here(), 0));
            record(end, "ServerSocketChannel", listener);
            end.say("port", listener.socket().getLocalPort());
            final SocketChannel channel = end.keep(listener.accept());
            end.meet("connected");
            record(end, "accepted SocketChannel", channel);
            legacy(end, "adaptor of accepted SocketChannel", channel.socket());
            exchange(channel.socket());
        }, end -> {
            final SocketChannel fresh = end.keep(SocketChannel.open());
            record(end, "unconnected SocketChannel", fresh);
            final SocketChannel channel = end.dialChannel();
            end.meet("connected");
            record(end, "connected SocketChannel", channel);
            legacy(end, "adaptor of connected SocketChannel", channel.socket());
            exchange(channel.socket());
            fresh.close();
            end.see("option of a closed channel", LifeScenarios.outcome(() ->
                    fresh.getOption(StandardSocketOptions.TCP_NODELAY)));
        }));
        all.add(Scenario.of("option.async", end -> {
            final AsynchronousServerSocketChannel listener = end.keep(AsynchronousServerSocketChannel.open());
            listener.bind(new InetSocketAddress(End.here(), 0));
            record(end, "AsynchronousServerSocketChannel", listener);
            end.say("port", ((InetSocketAddress) listener.getLocalAddress()).getPort());
            record(end, "accepted AsynchronousSocketChannel", end.keep(listener.accept().get()));
        }, end -> {
            final AsynchronousSocketChannel channel = end.keep(AsynchronousSocketChannel.open());
            channel.connect(end.peerAddress()).get();
            record(end, "connected AsynchronousSocketChannel", channel);
        }));
        all.add(Scenario.of("option.set-before-connect-is-kept", end -> {
            final ServerSocket listener = end.keep(new ServerSocket());
            listener.setReceiveBufferSize(40_000);
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(End.here(), 0));
            end.say("port", listener.getLocalPort());
            final Socket socket = end.keep(listener.accept());
            end.see("SO_RCVBUF inherited", socket.getReceiveBufferSize());
            end.see("TCP_NODELAY of accepted", socket.getTcpNoDelay());
            exchange(socket);
        }, end -> {
            final Socket socket = end.keep(new Socket());
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setTrafficClass(8);
            socket.setSendBufferSize(50_000);
            socket.setReceiveBufferSize(60_000);
            socket.setSoLinger(true, 3);
            socket.setOOBInline(true);
            socket.setSoTimeout(4_000);
            socket.setPerformancePreferences(1, 2, 3);
            socket.connect(end.peerAddress());
            legacy(end, "after connect", socket);
            end.see("SO_SNDBUF", socket.getSendBufferSize());
            end.see("SO_RCVBUF", socket.getReceiveBufferSize());
            exchange(socket);
            legacy(end, "after data", socket);
            end.see("SO_SNDBUF after data", socket.getSendBufferSize());
            end.see("SO_RCVBUF after data", socket.getReceiveBufferSize());
        }));
        all.add(Scenario.data("option.small-buffers-carry-large-streams", end -> {
            final ServerSocket listener = end.keep(new ServerSocket());
            listener.setReceiveBufferSize(2_000);
            listener.bind(new InetSocketAddress(End.here(), 0));
            end.say("port", listener.getLocalPort());
            final Socket socket = end.keep(listener.accept());
            socket.setSendBufferSize(2_000);
            End.readAndCheck(socket.getInputStream(), new Content(1), 0, 500_000);
        }, end -> {
            final Socket socket = end.keep(new Socket());
            socket.setSendBufferSize(2_000);
            socket.connect(end.peerAddress());
            socket.getOutputStream().write(new Content(1).bytes(0, 500_000));
            socket.shutdownOutput();
        }));
        all.add(Scenario.of("option.quick-ack-and-keep-alive-times", end -> {
            final Socket socket = end.accept();
            socket.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
            exchange(socket);
        }, end -> {
            final Socket socket = end.dial();
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 77);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 11);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 4);
            exchange(socket);
            same(77, socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE), "TCP_KEEPIDLE");
            same(11, socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL), "TCP_KEEPINTERVAL");
            same(4, socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT), "TCP_KEEPCOUNT");
            check(socket.getOption(ExtendedSocketOptions.SO_INCOMING_NAPI_ID) >= 0, "SO_INCOMING_NAPI_ID readable");
        }));
        all.addAll(texts());
        return all;
    }

    private static List<Scenario> texts() {
        return List.of(
                Scenario.of("option.texts-and-addresses-of-sockets", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket());
                    describe(end, "unbound", listener);
                    listener.bind(new InetSocketAddress(End.here(), 0), 5);
                    final int port = listener.getLocalPort();
                    end.say("port", port);
                    describe(end, "bound", listener, port);
                    final Socket socket = end.keep(listener.accept());
                    same(port, socket.getLocalPort(), "local port of an accepted socket");
                    same(end.hearInt("from"), socket.getPort(), "remote port of an accepted socket");
                    describe(end, "accepted", socket, port);
                    listener.close();
                    describe(end, "closed listener", listener, port);
                }, end -> {
                    final Socket socket = end.keep(new Socket());
                    describe(end, "unconnected", socket);
                    final int port = end.hearInt("port");
                    socket.connect(new InetSocketAddress(End.there(), port));
                    end.say("from", socket.getLocalPort());
                    same(port, socket.getPort(), "remote port");
                    describe(end, "connected", socket, port);
                    socket.shutdownInput();
                    describe(end, "input shut", socket, port);
                    socket.shutdownOutput();
                    describe(end, "output shut", socket, port);
                    socket.close();
                    describe(end, "closed", socket, port);
                }),
                Scenario.of("option.texts-and-addresses-of-channels", end -> {
                    final ServerSocketChannel listener = end.keep(ServerSocketChannel.open());
                    see(end, "unbound", listener, "");
                    listener.bind(new InetSocketAddress(End.here(), 0));
                    final int port = listener.socket().getLocalPort();
                    end.say("port", port);
                    see(end, "bound", listener, port);
                    final SocketChannel channel = end.keep(listener.accept());
                    see(end, "accepted", channel, port, end.hearInt("from"));
                    see(end, "accepted's adaptor", channel.socket(), port, channel.socket().getPort());
                    see(end, "class of accepted", channel.getClass().getName());
                    listener.close();
                    see(end, "closed", listener, port);
                }, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    see(end, "unconnected", channel);
                    final int port = end.hearInt("port");
                    channel.connect(new InetSocketAddress(End.there(), port));
                    final int local = channel.socket().getLocalPort();
                    end.say("from", local);
                    see(end, "connected", channel, port, local);
                    see(end, "remote", channel.getRemoteAddress(), port);
                    see(end, "local", channel.getLocalAddress(), local);
                    see(end, "provider", channel.provider().getClass().getName());
                    channel.shutdownInput();
                    see(end, "input shut", channel, port, local);
                    channel.shutdownOutput();
                    see(end, "output shut", channel, port, local);
                    channel.close();
                    see(end, "closed", channel, port, local);
                    see(end, "adaptor of closed", channel.socket(), port, local);
                }));
    }

    private static void describe(final End end, final String when, final Socket socket, final int... ports) {
        see(end, when, socket + " local " + socket.getLocalAddress() + " " + socket.getLocalSocketAddress() + " remote "
                + socket.getInetAddress() + " " + socket.getRemoteSocketAddress() + " bound " + socket.isBound()
                + " connected " + socket.isConnected() + " closed " + socket.isClosed() + " in "
                        + socket.isInputShutdown()
                + " out " + socket.isOutputShutdown() + " channel " + socket.getChannel(), also(ports, socket));
    }

    private static void describe(final End end, final String when, final ServerSocket socket, final int... ports) {
        see(end, when, socket + " " + socket.getInetAddress() + " " + socket.getLocalSocketAddress() + " bound "
                + socket.isBound() + " closed " + socket.isClosed(), (Object[]) boxed(ports));
    }

    private static Object[] also(final int[] ports, final Socket socket) {
        final List<Object> all = new ArrayList<>(List.of(boxed(ports)));
        all.add(socket.getLocalPort());
        all.add(socket.getPort());
        return all.toArray();
    }

    private static Integer[] boxed(final int[] ports) {
        return java.util.Arrays.stream(ports).boxed().toArray(Integer[]::new);
    }

    /** Ports differ from run to run: their place in the text is what counts. */
    private static void see(final End end, final String when, final Object text, final Object... ports) {
        String seen = String.valueOf(text);
        for (Object port : ports) {
            if (port instanceof Integer number && number > 0) {
                seen = seen.replaceAll("\\b" + number + "\\b", "PORT");
            }
        }
        end.see(when, seen);
    }

    private static void legacy(final End end, final String who, final Socket socket) throws IOException {
        end.see(who + " old style", "nodelay " + socket.getTcpNoDelay() + " linger " + socket.getSoLinger()
                + " keepalive "
                + socket.getKeepAlive() + " oob " + socket.getOOBInline() + " reuse " + socket.getReuseAddress()
                + " timeout " + socket.getSoTimeout() + " tos " + socket.getTrafficClass());
    }

    private static void exchange(final Socket socket) throws IOException {
        socket.getOutputStream().write(new byte[3_000]);
        socket.getInputStream().readNBytes(3_000);
    }

    interface Getter {
        Object get(SocketOption<?> option) throws IOException;
    }

    interface Setter {
        <T> Object set(SocketOption<T> option, T value) throws IOException;
    }

    private static void record(final End end, final String who, final NetworkChannel channel) {
        record(end, who, channel.supportedOptions(), channel::getOption, channel::setOption);
    }

    /** Default, then set to something else, then what is read back, of every option. */
    private static void record(final End end, final String who, final Set<SocketOption<?>> options, final Getter getter,
            final Setter setter) {
        end.see(who + " supports", options.stream().map(SocketOption::name).sorted().toList());
        final Function<SocketOption<?>, String> value = option -> LifeScenarios.outcome(() -> getter.get(option));
        options.stream().sorted(Comparator.comparing(SocketOption::name)).forEach(option -> {
            // Which interrupt fetched the packets, and how large the kernel made its buffers, is the kernel's mood.
            final boolean stable = !option.name().equals("SO_INCOMING_NAPI_ID");
            if (stable && !option.name().equals("SO_RCVBUF") && !option.name().equals("SO_SNDBUF")) {
                end.see(who + " " + option.name() + " at first", value.apply(option));
            }
            end.see(who + " set " + option.name(), LifeScenarios.outcome(() -> {
                change(option, setter);
                return "done";
            }));
            if (stable) {
                end.see(who + " " + option.name() + " then", value.apply(option));
            }
        });
    }

    private static void change(final SocketOption<?> option, final Setter setter) throws IOException {
        if (option.type() == Boolean.class) {
            setter.set(cast(option, Boolean.class), Boolean.TRUE);
        } else {
            final int value = switch (option.name()) {
                case "SO_RCVBUF", "SO_SNDBUF" -> 100_000;
                case "SO_LINGER" -> 2;
                case "IP_TOS" -> 16;
                default -> 9;
            };
            setter.set(cast(option, Integer.class), value);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> SocketOption<T> cast(final SocketOption<?> option, final Class<T> type) {
        if (option.type() != type) {
            throw new IllegalStateException("unknown option type " + option.type());
        }
        return (SocketOption<T>) option;
    }
}
