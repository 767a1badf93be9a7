package org.smc4j.it.faults;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadFactory;

/** A soak connection on a blocking socket or channel. */
final class SoakBlocking {
    private static final int BUFFER = 32768;

    private interface Wire {
        int read(ByteBuffer target) throws IOException;

        void write(ByteBuffer source) throws IOException;

        void shutdownOutput() throws IOException;
    }

    private SoakBlocking() {
    }

    static void run(Socket socket, SoakTalk talk, Soak.Order order, ThreadFactory threads) throws IOException {
        try (socket) {
            run(new Wire() {
                @Override
                public int read(ByteBuffer target) throws IOException {
                    return socket.getInputStream().read(target.array(), 0, target.capacity());
                }

                @Override
                public void write(ByteBuffer source) throws IOException {
                    socket.getOutputStream().write(source.array(), 0, source.limit());
                }

                @Override
                public void shutdownOutput() throws IOException {
                    socket.shutdownOutput();
                }
            }, talk, order, threads);
        }
    }

    static void run(SocketChannel channel, SoakTalk talk, Soak.Order order, ThreadFactory threads) throws IOException {
        try (channel) {
            run(new Wire() {
                @Override
                public int read(ByteBuffer target) throws IOException {
                    return channel.read(target.clear());
                }

                @Override
                public void write(ByteBuffer source) throws IOException {
                    while (source.hasRemaining()) {
                        channel.write(source);
                    }
                }

                @Override
                public void shutdownOutput() throws IOException {
                    channel.shutdownOutput();
                }
            }, talk, order, threads);
        }
    }

    private static void run(Wire wire, SoakTalk talk, Soak.Order order, ThreadFactory threads) throws IOException {
        switch (order) {
            case SPEAK_FIRST -> {
                speak(wire, talk);
                listen(wire, talk);
            }
            case LISTEN_FIRST -> {
                listen(wire, talk);
                speak(wire, talk);
            }
            case BOTH -> {
                IOException[] failure = new IOException[1];
                Thread speaker = threads.newThread(() -> {
                    try {
                        speak(wire, talk);
                    } catch (IOException e) {
                        failure[0] = e;
                    }
                });
                speaker.start();
                listen(wire, talk);
                try {
                    speaker.join();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                if (failure[0] != null) {
                    throw failure[0];
                }
            }
        }
    }

    private static void speak(Wire wire, SoakTalk talk) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (talk.say(buffer.clear())) {
            wire.write(buffer.flip());
        }
        wire.shutdownOutput();
    }

    private static void listen(Wire wire, SoakTalk talk) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        int n;
        while ((n = wire.read(buffer)) >= 0) {
            talk.hear(buffer.position(0).limit(n));
        }
        talk.hearEnd();
    }
}
