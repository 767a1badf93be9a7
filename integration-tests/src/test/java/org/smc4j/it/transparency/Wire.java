package org.smc4j.it.transparency;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.LongAdder;

/** A connected byte stream, whatever API carries it. One thread may read while another writes. */
interface Wire {
    /** Bytes written to all wires of this process: what an agent's counters are compared with. */
    LongAdder WRITTEN = new LongAdder();

    /** Writes all of it, counted. */
    default void send(final byte[] bytes, final int offset, final int length) throws Exception {
        write(bytes, offset, length);
        WRITTEN.add(length);
    }

    /** Writes all of it. */
    void write(byte[] bytes, int offset, int length) throws Exception;

    /** At least one byte, or -1 at the end of the stream. */
    int read(byte[] bytes, int offset, int length) throws Exception;

    /** No more output; the peer sees the end of the stream. */
    void finish() throws Exception;

    /** The APIs a stream can be had from. */
    enum Kind {
        SOCKET {
            @Override
            Wire accept(final End end) throws Exception {
                return new OfSocket(end.accept());
            }

            @Override
            Wire dial(final End end) throws Exception {
                return new OfSocket(end.dial());
            }
        },
        ADAPTOR {
            @Override
            Wire accept(final End end) throws Exception {
                return new OfSocket(end.acceptChannel().socket());
            }

            @Override
            Wire dial(final End end) throws Exception {
                return new OfSocket(end.dialChannel().socket());
            }
        },
        CHANNEL {
            @Override
            Wire accept(final End end) throws Exception {
                return new OfChannel(end.acceptChannel());
            }

            @Override
            Wire dial(final End end) throws Exception {
                return new OfChannel(end.dialChannel());
            }
        },
        NONBLOCKING {
            @Override
            Wire accept(final End end) throws Exception {
                return new OfSelector(end, end.acceptChannel());
            }

            @Override
            Wire dial(final End end) throws Exception {
                return new OfSelector(end, end.dialChannel());
            }
        },
        ASYNC {
            @Override
            Wire accept(final End end) throws Exception {
                final AsynchronousServerSocketChannel listener = end.keep(AsynchronousServerSocketChannel.open());
                listener.bind(new InetSocketAddress(End.here(), 0));
                end.say("port", ((InetSocketAddress) listener.getLocalAddress()).getPort());
                return new OfAsync(end.keep(listener.accept().get()));
            }

            @Override
            Wire dial(final End end) throws Exception {
                final AsynchronousSocketChannel channel = end.keep(AsynchronousSocketChannel.open());
                channel.connect(end.peerAddress()).get();
                return new OfAsync(channel);
            }
        };

        abstract Wire accept(End end) throws Exception;

        abstract Wire dial(End end) throws Exception;

        String text() {
            return name().toLowerCase();
        }
    }

    /** {@code Socket} and the adaptor of a channel. */
    record OfSocket(Socket socket) implements Wire {
        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            socket.getOutputStream().write(bytes, offset, length);
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            return socket.getInputStream().read(bytes, offset, length);
        }

        @Override
        public void finish() throws IOException {
            socket.shutdownOutput();
        }
    }

    /** A blocking {@code SocketChannel}. */
    record OfChannel(SocketChannel channel) implements Wire {
        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            return channel.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void finish() throws IOException {
            channel.shutdownOutput();
        }
    }

    /** A non-blocking {@code SocketChannel}, one selector per direction. */
    final class OfSelector implements Wire {
        private final SocketChannel channel;
        private final Selector readable;
        private final Selector writable;

        OfSelector(final End end, final SocketChannel channel) throws IOException {
            this.channel = channel;
            channel.configureBlocking(false);
            readable = end.keep(Selector.open());
            writable = end.keep(Selector.open());
            channel.register(readable, SelectionKey.OP_READ);
            channel.register(writable, SelectionKey.OP_WRITE);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                if (channel.write(buffer) == 0) {
                    writable.select();
                    writable.selectedKeys().clear();
                }
            }
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            for (int n; ;) {
                if ((n = channel.read(buffer)) != 0) {
                    return n;
                }
                readable.select();
                readable.selectedKeys().clear();
            }
        }

        @Override
        public void finish() throws IOException {
            channel.shutdownOutput();
        }
    }

    /** An {@code AsynchronousSocketChannel} driven through futures. */
    record OfAsync(AsynchronousSocketChannel channel) implements Wire {
        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws Exception {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                channel.write(buffer).get();
            }
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws Exception {
            return channel.read(ByteBuffer.wrap(bytes, offset, length)).get();
        }

        @Override
        public void finish() throws IOException {
            channel.shutdownOutput();
        }
    }
}
