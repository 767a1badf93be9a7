import java.net.InetSocketAddress;
import java.nio.file.Path;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.resource.ResourceFactory;

/** {@code ADDRESS PORT FOLDER}: Jetty serves the files of the folder, and sends back what is posted. */
final class JettyWeb {
    private JettyWeb() {
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
        ResourceHandler files = new ResourceHandler();
        files.setBaseResource(ResourceFactory.of(files).newResource(Path.of(args[2])));
        server.setHandler(new Handler.Sequence(new Echo(), files));
        server.start();
        server.join();
    }

    private static final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (!request.getMethod().equals("POST")) {
                return false;
            }
            Content.copy(request, response, callback);
            return true;
        }
    }
}
