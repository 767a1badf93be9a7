package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Serves one blocking connection until its client closes it. */
final class BlockingService {
    private BlockingService() {
    }

    static void serve(Link connection) {
        try (Link link = connection) {
            link.messageSize(Message.GREETING_SIZE);
            if (!link.receive(Message.GREETING_SIZE)) {
                return;
            }
            final Message.Greeting greeting = Message.greeting(link.in());
            link.messageSize(greeting.size());
            switch (greeting.purpose()) {
                case ECHO -> echo(link, greeting.size());
                case SINK -> sink(link, greeting.size());
            }
        } catch (IOException e) {
            // The client counts what is missing; this line says why.
            System.err.println("server: " + e);
        }
    }

    private static void echo(Link link, int size) throws IOException {
        while (link.receive(size)) {
            link.sendBack(size);
        }
    }

    private static void sink(Link link, int size) throws IOException {
        final ByteBuffer reply = link.allocate(Message.GREETING_SIZE);
        final SinkCheck check = new SinkCheck(size, reply, link::write);
        final ByteBuffer piece = link.allocate(Link.RECEIVE_BUFFER);
        int count = link.receiveSome(piece);
        while (count >= 0) {
            check.accept(piece, count);
            count = link.receiveSome(piece);
        }
    }
}
