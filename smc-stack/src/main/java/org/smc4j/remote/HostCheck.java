package org.smc4j.remote;

import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.smc4j.carrier.FourTuple;
import org.smc4j.diag.ReasonCode;
import org.smc4j.negotiation.LocalEids;
import org.smc4j.sysctl.Sysctl;

/**
 * Finds out what would become of a connection to another host, without making one: opens the RNICs and joins the sideband as a
 * client would, and asks the server what it would answer to the Proposal. If no process of this host has the sideband port, this one
 * has it meanwhile.
 */
public final class HostCheck {
    /** Longer than a sideband port that does not answer is waited for. */
    private static final long ANSWER_MILLIS = 8_000;

    /**
     * What would become of the connection.
     *
     * @param reason 0 if it would be SMC-R, otherwise why not (see {@link ReasonCode})
     * @param detail more about it, for users
     */
    public record Verdict(int reason, String detail) {
        static Verdict no(ReasonCode reason, String detail) {
            return new Verdict(reason.number(), detail);
        }
    }

    private HostCheck() {
    }

    /**
     * Waits for the answer, at most eight seconds. For processes that do nothing else: what it opens stays open until they end.
     *
     * @param port 1 to 65535
     */
    public static Verdict check(Sysctl sysctl, LocalEids eids, InetAddress server, int port) {
        InetAddress client = source(server, port);
        if (client == null) {
            return Verdict.no(ReasonCode.PEERNOSMC, "there is no route to that address");
        }
        HostPeers peers = new HostPeers(sysctl, (remote, remotePort, localPort) -> null, eids);
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        peers.check(new FourTuple(client.getAddress(), 0, server.getAddress(), port), verdict::complete);
        try {
            return verdict.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Verdict.no(ReasonCode.TIMEOUT_CL, "no answer within " + ANSWER_MILLIS / 1000 + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.no(ReasonCode.TIMEOUT_CL, "interrupted");
        }
    }

    /** The address that a connection would come from, as the kernel's routes say; null if there is no route. */
    private static InetAddress source(InetAddress server, int port) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(server, port));
            return probe.getLocalAddress();
        } catch (SocketException | UncheckedIOException e) {
            return null;
        }
    }
}
