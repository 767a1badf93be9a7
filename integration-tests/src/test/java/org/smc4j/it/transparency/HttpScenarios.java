package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.same;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/** The HTTP clients and the HTTP server of the JDK. */
final class HttpScenarios {
    private static final int LARGE = 3_000_000;

    private HttpScenarios() {
    }

    private interface Client {
        void run(HttpClient client, URI base) throws Exception;
    }

    private interface OldClient {
        void run(URI base) throws Exception;
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        all.add(modern("get", (client, base) -> {
            for (int i = 0; i < 30; i++) {
                check(client.send(HttpRequest.newBuilder(base.resolve("/bytes?1000")).build(), bytes()), 200, 1000);
            }
        }));
        all.add(modern("get-large", (client, base) ->
                check(client.send(HttpRequest.newBuilder(base.resolve("/bytes?" + LARGE)).build(), bytes()), 200,
                        LARGE)));
        all.add(modern("get-chunked", (client, base) ->
                check(client.send(HttpRequest.newBuilder(base.resolve("/chunked?200000")).build(), bytes()), 200,
                        200_000)));
        all.add(modern("post-echo-large", (client, base) ->
                check(client.send(HttpRequest.newBuilder(base.resolve("/echo"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(new Content(1).bytes(0, LARGE))).build(), bytes()), 200,
                        LARGE)));
        all.add(modern("post-stream-of-unknown-length", (client, base) -> check(client.send(
                HttpRequest.newBuilder(base.resolve("/echo")).POST(HttpRequest.BodyPublishers.ofInputStream(() ->
                        new java.io.ByteArrayInputStream(new Content(1).bytes(0, 100_000)))).build(), bytes()), 200,
                                100_000)));
        all.add(modern("parallel", (client, base) -> {
            final List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                answers.add(client.sendAsync(HttpRequest.newBuilder(base.resolve("/bytes?" + (i * 997))).build(),
                        bytes()));
            }
            for (int i = 0; i < 60; i++) {
                check(answers.get(i).get(), 200, i * 997);
            }
        }));
        all.add(modern("not-found-then-usable", (client, base) -> {
            same(404, client.send(HttpRequest.newBuilder(base.resolve("/nowhere")).build(), bytes()).statusCode(),
                    "status");
            check(client.send(HttpRequest.newBuilder(base.resolve("/bytes?10")).build(), bytes()), 200, 10);
        }));
        all.add(modern("timeout-then-usable", (client, base) -> {
            End.fails(HttpTimeoutException.class, "request to a slow page", () -> client.send(HttpRequest
                    .newBuilder(base.resolve("/slow")).timeout(Duration.ofMillis(300)).build(), bytes()));
            check(client.send(HttpRequest.newBuilder(base.resolve("/bytes?10")).build(), bytes()), 200, 10);
        }));
        all.add(modern("connection-close", (client, base) -> {
            for (int i = 0; i < 10; i++) {
                check(client.send(HttpRequest.newBuilder(base.resolve("/close?5000")).build(), bytes()), 200, 5000);
            }
        }));
        all.add(old("url-connection-get", base -> {
            for (int i = 0; i < 30; i++) {
                try (InputStream in = base.resolve("/bytes?2000").toURL().openStream()) {
                    End.readAndCheck(in, new Content(1), 0, 2000);
                    same(-1, in.read(), "end of the body");
                }
            }
        }));
        all.add(old("url-connection-get-large", base -> {
            try (InputStream in = base.resolve("/bytes?" + LARGE).toURL().openStream()) {
                End.readAndCheck(in, new Content(1), 0, LARGE);
            }
        }));
        all.add(old("url-connection-post", base -> post(base, (connection, length) ->
                connection.setFixedLengthStreamingMode(length))));
        all.add(old("url-connection-post-chunked", base -> post(base, (connection, _) ->
                connection.setChunkedStreamingMode(4096))));
        all.add(old("url-connection-timeout-then-usable", base -> {
            final HttpURLConnection slow = (HttpURLConnection) base.resolve("/slow").toURL().openConnection();
            slow.setReadTimeout(300);
            End.fails(java.net.SocketTimeoutException.class, "slow page", slow::getInputStream, "Read timed out");
            slow.disconnect();
            try (InputStream in = base.resolve("/bytes?10").toURL().openStream()) {
                End.readAndCheck(in, new Content(1), 0, 10);
            }
        }));
        return all;
    }

    private static HttpResponse.BodyHandler<byte[]> bytes() {
        return HttpResponse.BodyHandlers.ofByteArray();
    }

    private static void check(final HttpResponse<byte[]> response, final int status, final int length) {
        same(status, response.statusCode(), "status");
        same(length, response.body().length, "length of the body");
        new Content(1).check(response.body(), 0, length, 0);
    }

    private static void post(final URI base, final BiConsumer<HttpURLConnection, Integer> mode) throws IOException {
        for (int length : new int[] {10, 5_000, 700_000}) {
            final HttpURLConnection connection = (HttpURLConnection) base.resolve("/echo").toURL().openConnection();
            connection.setDoOutput(true);
            mode.accept(connection, length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(new Content(1).bytes(0, length));
            }
            same(200, connection.getResponseCode(), "status");
            try (InputStream in = connection.getInputStream()) {
                End.readAndCheck(in, new Content(1), 0, length);
                same(-1, in.read(), "end of the body");
            }
        }
    }

    private static Scenario modern(final String name, final Client half) {
        return Scenario.data("http.client-" + name, HttpScenarios::serve, end -> {
            final URI base = base(end);
            try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
                half.run(client, base);
            }
            end.say("done");
        });
    }

    private static Scenario old(final String name, final OldClient half) {
        return Scenario.data("http." + name, HttpScenarios::serve, end -> {
            half.run(base(end));
            end.say("done");
        });
    }

    private static URI base(final End end) throws InterruptedException {
        return URI.create("http://" + End.there().getHostAddress() + ":" + end.hearInt("port") + "/");
    }

    private static void serve(final End end) throws Exception {
        final HttpServer server = HttpServer.create(new InetSocketAddress(End.here(), 0), 100);
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            server.setExecutor(executor);
            server.createContext("/bytes", exchange -> bytes(exchange, true));
            server.createContext("/chunked", exchange -> bytes(exchange, false));
            server.createContext("/close", exchange -> {
                exchange.getResponseHeaders().add("Connection", "close");
                bytes(exchange, true);
            });
            server.createContext("/echo", exchange -> {
                final byte[] body = exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.createContext("/slow", exchange -> {
                try {
                    Thread.sleep(600);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
            end.say("port", server.getAddress().getPort());
            end.hear("done");
        } finally {
            server.stop(0);
        }
    }

    private static void bytes(final HttpExchange exchange, final boolean lengthKnown) throws IOException {
        final int length = Integer.parseInt(exchange.getRequestURI().getQuery());
        exchange.sendResponseHeaders(200, length == 0 ? -1 : lengthKnown ? length : 0);
        if (length > 0) {
            exchange.getResponseBody().write(new Content(1).bytes(0, length));
        }
        exchange.close();
    }
}
