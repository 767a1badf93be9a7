import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code ADDRESS PORT FILE N...}: GETs each FILE N times and POSTs it N / 2 times, once by HttpClient, 8 at a time, and once by
 * HttpURLConnection, one after the other, and compares the bodies with the file.
 */
final class HttpLoad {
    private static final int AT_A_TIME = 8;

    private HttpLoad() {
    }

    public static void main(String[] args) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 2; i < args.length; i += 2) {
            Path file = Path.of(args[i]);
            int gets = Integer.parseInt(args[i + 1]);
            int posts = gets / 2;
            byte[] content = Files.readAllBytes(file);
            URI uri = URI.create("http://" + args[0] + ":" + args[1] + "/" + file.getFileName());
            HttpRequest get = HttpRequest.newBuilder(uri).build();
            HttpRequest post = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(content)).build();
            System.out.println("HttpClient GET " + file.getFileName() + " " + client(client, get, content, gets));
            System.out.println("HttpClient POST " + file.getFileName() + " " + client(client, post, content, posts));
            System.out.println("HttpURLConnection GET " + file.getFileName() + " " + url(uri, false, content, gets));
            System.out.println("HttpURLConnection POST " + file.getFileName() + " " + url(uri, true, content, posts));
        }
    }

    private static String client(HttpClient client, HttpRequest request, byte[] content, int count) throws Exception {
        int good = 0;
        for (int done = 0; done < count; done += AT_A_TIME) {
            List<CompletableFuture<HttpResponse<byte[]>>> batch = new ArrayList<>();
            for (int i = done; i < Math.min(count, done + AT_A_TIME); i++) {
                batch.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (CompletableFuture<HttpResponse<byte[]>> response : batch) {
                if (Arrays.equals(content, response.get().body())) {
                    good++;
                }
            }
        }
        return good + "/" + count + " good";
    }

    private static String url(URI uri, boolean post, byte[] content, int count) throws Exception {
        int good = 0;
        for (int i = 0; i < count; i++) {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            if (post) {
                connection.setDoOutput(true);
                connection.setFixedLengthStreamingMode(content.length);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(content);
                }
            }
            try (InputStream in = connection.getInputStream()) {
                if (Arrays.equals(content, in.readAllBytes())) {
                    good++;
                }
            }
        }
        return good + "/" + count + " good";
    }
}
