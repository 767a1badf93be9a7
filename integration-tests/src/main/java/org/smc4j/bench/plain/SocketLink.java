package org.smc4j.bench.plain;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The streams of a socket with byte arrays. */
final class SocketLink extends Link {
    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;

    SocketLink(Socket socket) throws IOException {
        this.socket = socket;
        this.input = socket.getInputStream();
        this.output = socket.getOutputStream();
    }

    @Override
    ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes);
    }

    @Override
    void write(ByteBuffer bytes) throws IOException {
        output.write(bytes.array(), bytes.position(), bytes.remaining());
        bytes.position(bytes.limit());
    }

    @Override
    int read(ByteBuffer bytes) throws IOException {
        final int count = input.read(bytes.array(), bytes.position(), bytes.remaining());
        if (count > 0) {
            bytes.position(bytes.position() + count);
        }
        return count;
    }

    @Override
    void disconnect() throws IOException {
        socket.close();
    }
}
