package org.smc4j.it.transparency;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/** A proxy that serves one connection, in the kinds the JDK's sockets know. */
enum TinyProxy {
    SOCKS5 {
        @Override
        InetSocketAddress greet(final DataInputStream in, final DataOutputStream out) throws IOException {
            expect(5, in.read());
            in.skipNBytes(in.read());
            out.write(new byte[] {5, 0});
            out.flush();
            expect(5, in.read());
            expect(1, in.read());
            in.read();
            final int type = in.read();
            final InetAddress host = switch (type) {
                case 1 -> InetAddress.getByAddress(in.readNBytes(4));
                case 3 -> InetAddress.getByName(new String(in.readNBytes(in.read()), StandardCharsets.US_ASCII));
                case 4 -> InetAddress.getByAddress(in.readNBytes(16));
                default -> throw new IOException("address type " + type);
            };
            return new InetSocketAddress(host, in.readUnsignedShort());
        }

        @Override
        void grant(final DataOutputStream out) throws IOException {
            out.write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 1});
        }
    },
    SOCKS4 {
        /** The JDK tries version 5 first and falls back to version 4 when the answer is not one of version 5. */
        @Override
        InetSocketAddress greet(final DataInputStream in, final DataOutputStream out) throws IOException {
            expect(5, in.read());
            in.skipNBytes(in.read());
            out.write(new byte[] {0, 91});
            out.flush();
            expect(4, in.read());
            expect(1, in.read());
            final int port = in.readUnsignedShort();
            final InetAddress host = InetAddress.getByAddress(in.readNBytes(4));
            for (int c; (c = in.read()) != 0;) {
                expect(c, c & 0x7f);
            }
            return new InetSocketAddress(host, port);
        }

        @Override
        void grant(final DataOutputStream out) throws IOException {
            out.write(new byte[] {0, 90, 0, 1, 127, 0, 0, 1});
        }
    },
    HTTP {
        @Override
        InetSocketAddress greet(final DataInputStream in, final DataOutputStream out) throws IOException {
            final String[] request = line(in).split(" ");
            if (!request[0].equals("CONNECT")) {
                throw new IOException("not CONNECT but " + request[0]);
            }
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                expect(1, header.indexOf(':') > 0 ? 1 : 0);
            }
            final int colon = request[1].lastIndexOf(':');
            return new InetSocketAddress(request[1].substring(0, colon),
                    Integer.parseInt(request[1].substring(colon + 1)));
        }

        @Override
        void grant(final DataOutputStream out) throws IOException {
            out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    };

    abstract InetSocketAddress greet(DataInputStream in, DataOutputStream out) throws IOException;

    abstract void grant(DataOutputStream out) throws IOException;

    /** Starts it; returns where it listens. */
    SocketAddress start(final End end) throws IOException {
        final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
        end.start(() -> {
            final Socket client = end.keep(listener.accept());
            final DataOutputStream out = new DataOutputStream(client.getOutputStream());
            final InetSocketAddress target = greet(new DataInputStream(client.getInputStream()), out);
            final Socket server = end.keep(new Socket(Proxy.NO_PROXY));
            server.connect(target);
            grant(out);
            out.flush();
            final var back = end.start(() -> pump(server, client));
            pump(client, server);
            return End.await(back, 10_000);
        });
        return listener.getLocalSocketAddress();
    }

    private static Void pump(final Socket from, final Socket to) throws IOException {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
        return null;
    }

    private static void expect(final int expected, final int seen) throws IOException {
        if (expected != seen) {
            throw new IOException("proxy protocol: expected " + expected + ", seen " + seen);
        }
    }

    private static String line(final InputStream in) throws IOException {
        final StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n' && c >= 0;) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
