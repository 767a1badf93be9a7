package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** What sits on top of {@code Socket}: proxies, subclasses, TLS. */
final class LayerScenarios {
    private static final String PASSWORD = "transparency";
    private static Path keyStore;

    private LayerScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (TinyProxy proxy : TinyProxy.values()) {
            all.add(proxy("layers.proxy-" + proxy.name().toLowerCase(), proxy));
        }
        all.addAll(proxies());
        all.addAll(subclasses());
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            all.add(tls("layers.tls-socket-" + protocol, protocol, false));
            all.add(tls("layers.tls-over-a-connected-socket-" + protocol, protocol, true));
        }
        all.add(Scenario.of("layers.tls-read-timeout-and-usable-afterwards", end -> {
            final SSLSocket socket = acceptTls(end, "TLSv1.3");
            same(1, socket.getInputStream().read(), "byte");
            end.hear("timed-out");
            socket.getOutputStream().write(2);
        }, end -> {
            final SSLSocket socket = end.keep((SSLSocket) context(Path.of(end.hear("store"))).getSocketFactory()
                    .createSocket(End.there(), end.hearInt("port")));
            socket.getOutputStream().write(1);
            socket.setSoTimeout(300);
            fails(java.net.SocketTimeoutException.class, "TLS read", () -> socket.getInputStream().read());
            socket.setSoTimeout(5_000);
            end.say("timed-out");
            same(2, socket.getInputStream().read(), "byte after the timeout");
        }));
        return all;
    }

    private static Scenario proxy(final String name, final TinyProxy kind) {
        return Scenario.data(name, end -> {
            end.say("proxy", ((InetSocketAddress) kind.start(end)).getPort());
            final Socket socket = end.accept();
            End.readAndCheck(socket.getInputStream(), new Content(1), 0, 200_000);
            same(-1, socket.getInputStream().read(), "end of stream");
            socket.getOutputStream().write(new Content(2).bytes(0, 200_000));
            socket.shutdownOutput();
        }, end -> {
            final Proxy proxy = new Proxy(kind == TinyProxy.HTTP ? Proxy.Type.HTTP : Proxy.Type.SOCKS,
                    new InetSocketAddress(End.there(), end.hearInt("proxy")));
            final Socket socket = end.keep(new Socket(proxy));
            final int port = end.hearInt("port");
            socket.connect(new InetSocketAddress(End.there(), port), 5_000);
            end.see("remote port is", port == socket.getPort() ? "the target's" : "the proxy's");
            socket.getOutputStream().write(new Content(1).bytes(0, 200_000));
            socket.shutdownOutput();
            End.readAndCheck(socket.getInputStream(), new Content(2), 0, 200_000);
            same(-1, socket.getInputStream().read(), "end of stream");
        });
    }

    private static List<Scenario> proxies() {
        return List.of(
                Scenario.of("layers.no-proxy", end -> end.accept().getOutputStream().write(3), end -> {
                    final Socket socket = end.keep(new Socket(Proxy.NO_PROXY));
                    socket.connect(end.peerAddress());
                    same(3, socket.getInputStream().read(), "byte");
                }),
                Scenario.of("layers.proxy-that-hangs-up", end -> end.accept().close(), end -> {
                    final Socket socket =
                            end.keep(new Socket(new Proxy(Proxy.Type.SOCKS, end.peerAddress())));
                    fails(SocketException.class, "connect through a proxy that closes",
                            () -> socket.connect(new InetSocketAddress(End.there(), 9)));
                    check(socket.isClosed(), "closed after the failed connect");
                }),
                Scenario.data("layers.socks-proxy-by-system-property", end -> {
                    end.say("proxy", ((InetSocketAddress) TinyProxy.SOCKS5.start(end)).getPort());
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(3);
                    end.hear("done");
                    socket.close();
                }, end -> {
                    System.setProperty("socksProxyHost", End.there().getHostAddress());
                    System.setProperty("socksProxyPort", end.hear("proxy"));
                    System.setProperty("socksNonProxyHosts", "");
                    try {
                        final Socket socket = end.dial();
                        same(3, socket.getInputStream().read(), "byte");
                        socket.close();
                    } finally {
                        System.clearProperty("socksProxyHost");
                        System.clearProperty("socksProxyPort");
                        System.clearProperty("socksNonProxyHosts");
                    }
                    end.say("done");
                }));
    }

    /** Counts what is read through it. */
    private static final class CountingSocket extends Socket {
        private long bytes;

        @Override
        public InputStream getInputStream() throws IOException {
            final InputStream in = super.getInputStream();
            return new java.io.FilterInputStream(in) {
                @Override
                public int read(final byte[] buffer, final int offset, final int length) throws IOException {
                    final int n = super.read(buffer, offset, length);
                    bytes += Math.max(n, 0);
                    return n;
                }
            };
        }
    }

    /** The classic way to hand out sockets of one's own class. */
    private static final class CountingServerSocket extends ServerSocket {
        CountingServerSocket() throws IOException {
            super(0, 5, End.here());
        }

        @Override
        public Socket accept() throws IOException {
            final Socket socket = new CountingSocket();
            implAccept(socket);
            return socket;
        }
    }

    private static List<Scenario> subclasses() {
        return List.of(
                Scenario.data("layers.implAccept-into-a-subclass", end -> {
                    final ServerSocket listener = end.keep(new CountingServerSocket());
                    end.say("port", listener.getLocalPort());
                    final CountingSocket socket = (CountingSocket) end.keep(listener.accept());
                    final byte[] seen = socket.getInputStream().readAllBytes();
                    new Content(1).check(seen, 0, seen.length, 0);
                    same(70_000L, socket.bytes, "bytes counted by the subclass");
                    check(socket.isConnected() && socket.isBound(), "accepted socket is connected and bound");
                    socket.getOutputStream().write(1);
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(new Content(1).bytes(0, 70_000));
                    socket.shutdownOutput();
                    same(1, socket.getInputStream().read(), "answer");
                }),
                Scenario.of("layers.implAccept-timeout-then-connection", end -> {
                    final ServerSocket listener = end.keep(new CountingServerSocket());
                    listener.setSoTimeout(150);
                    fails(java.net.SocketTimeoutException.class, "accept", listener::accept);
                    listener.setSoTimeout(0);
                    end.say("port", listener.getLocalPort());
                    end.keep(listener.accept()).getOutputStream().write(1);
                }, end -> same(1, end.dial().getInputStream().read(), "byte")),
                Scenario.of("layers.no-SocketImplFactory-is-installed", LayerScenarios::noFactories,
                        LayerScenarios::noFactories),
                Scenario.of("layers.unconnected-socket-as-server-side", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket());
                    fails(SocketException.class, "accept before bind", listener::accept, "Socket is not bound yet");
                    fails(SocketException.class, "streams before connect", () -> new Socket().getInputStream(),
                            "Socket is not connected");
                }, End::role));
    }

    /** An application may install one; that works only as long as nobody else has. Null leaves it that way. */
    @SuppressWarnings("deprecation")
    private static void noFactories(final End end) throws IOException {
        Socket.setSocketImplFactory(null);
        ServerSocket.setSocketFactory(null);
        end.role();
    }

    private static Scenario tls(final String name, final String protocol, final boolean layered) {
        return Scenario.data(name, end -> {
            final SSLSocket socket = acceptTls(end, protocol);
            End.readAndCheck(socket.getInputStream(), new Content(1), 0, 500_000);
            socket.getOutputStream().write(new Content(2).bytes(0, 500_000));
            socket.close();
        }, end -> {
            final SSLContext context = context(Path.of(end.hear("store")));
            final int port = end.hearInt("port");
            final SSLSocket socket;
            if (layered) {
                final Socket plain = end.keep(new Socket(End.there(), port));
                socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, true);
            } else {
                socket = (SSLSocket) context.getSocketFactory().createSocket(End.there(), port);
            }
            end.keep(socket);
            socket.startHandshake();
            same(protocol, socket.getSession().getProtocol(), "negotiated protocol");
            socket.getOutputStream().write(new Content(1).bytes(0, 500_000));
            End.readAndCheck(socket.getInputStream(), new Content(2), 0, 500_000);
            same(-1, socket.getInputStream().read(), "end of stream");
        });
    }

    private static SSLSocket acceptTls(final End end, final String protocol) throws Exception {
        final Path store = keyStore();
        final SSLServerSocket listener = end.keep((SSLServerSocket) context(store).getServerSocketFactory()
                .createServerSocket(0, 5, End.here()));
        listener.setEnabledProtocols(new String[] {protocol});
        end.say("store", store);
        end.say("port", listener.getLocalPort());
        return end.keep((SSLSocket) listener.accept());
    }

    static SSLContext context(final Path store) throws Exception {
        final KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        final KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, PASSWORD.toCharArray());
        final TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        trusted.init(keys);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** A self-signed key, made once per JVM; keytool is the only public way to a certificate. */
    static synchronized Path keyStore() throws IOException, InterruptedException {
        if (keyStore == null) {
            final Path directory = Files.createTempDirectory("keystore");
            final Path file = directory.resolve("store.p12");
            final Process process = new ProcessBuilder(
                    System.getProperty("java.home") + File.separator + "bin" + File.separator + "keytool",
                    "-genkeypair", "-alias", "test", "-keyalg", "EC", "-dname", "CN=localhost", "-validity", "2",
                    "-ext", "SAN=dns:localhost,ip:127.0.0.1", "-storepass", PASSWORD, "-keystore", file.toString())
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            try {
                check(process.waitFor(12, TimeUnit.SECONDS) && process.exitValue() == 0, "keytool makes a key");
            } finally {
                process.destroyForcibly();
            }
            file.toFile().deleteOnExit();
            // Deleted at exit in reverse order of registration, hence the file first.
            directory.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            keyStore = file;
        }
        return keyStore;
    }
}
