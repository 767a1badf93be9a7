package org.smc4j.it.transparency;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/** Scenarios that must fail, each in its own way: what the runner is tested with. Not part of any bundle. */
final class BrokenScenarios {
    private BrokenScenarios() {
    }

    static List<Scenario> all() {
        return List.of(
                Scenario.of("broken.client-asserts", end -> end.hear("never-said"),
                        end -> End.same(1, 2, "one thing")),
                Scenario.of("broken.both-block", end -> blockedRead(end.accept()), end -> blockedRead(end.dial()))
                        .limit(2),
                Scenario.of("broken.server-dies", end -> Runtime.getRuntime().halt(7), end -> end.hear("never-said")),
                Scenario.of("broken.wrong-byte", end -> end.accept().getOutputStream().write(new byte[64]),
                        end -> End.readAndCheck(end.dial().getInputStream(), new Content(1), 0, 64)),
                Scenario.of("broken.different-in-every-run", End::role, end -> end.see("time", System.nanoTime())),
                Scenario.of("broken.helper-thread", end -> {
                    end.start(() -> Integer.parseInt("no number"));
                    end.hear("never-said");
                }, end -> {
                    End.pause();
                    End.same(1, 2, "one thing");
                }),
                Scenario.of("broken.not-at-all", end -> new ServerSocket().close(), End::role));
    }

    private static void blockedRead(final Socket socket) throws Exception {
        socket.getInputStream().read();
    }
}
