package org.smc4j.bench.plain;

import java.io.IOException;

/** A short-lived client, as a command-line tool is one: connects, sends small requests, leaves; never warm. */
public final class ColdClient {
    private static final int REQUESTS = 1000;
    private static final int SIZE = 64;

    private ColdClient() {
    }

    /** The one argument is the port of the server's socket listener. */
    public static void main(String[] args) throws IOException {
        final long start = System.nanoTime();
        try (Link link = Api.SOCKET.connect(args[0], Message.Purpose.ECHO, SIZE)) {
            for (int i = 0; i < REQUESTS; i++) {
                link.roundTrip(i);
            }
        }
        System.out.println("result nanos=" + (System.nanoTime() - start));
    }
}
