package org.smc4j.sideband;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.smc4j.carrier.FourTuple;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcException;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.remote.HostCheck;
import org.smc4j.remote.HostPeers;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;

/**
 * Finds out what would become of a connection, without making one: goes the way of a client's handshake up to the
 * Proposal and sends that as a CHECK, which a server answers as it would answer the Proposal.
 */
public final class SidebandCheck {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /**
     * What would become of a connection.
     *
     * @param mode       what it would be
     * @param reasonCode 0 unless it would be TCP, otherwise why not (see {@link ReasonCode})
     * @param detail     more about it, for users
     */
    public record Verdict(SmcMode mode, int reasonCode, String detail) {
        private static Verdict no(ReasonCode reason, String detail) {
            return new Verdict(SmcMode.TCP, reason.number(), detail);
        }
    }

    private final Sysctl sysctl;
    private final long timeoutNanos;

    /**
     * @param sysctl        the settings that the client would have
     * @param timeoutMillis how long the server may take to answer
     */
    public SidebandCheck(Sysctl sysctl, long timeoutMillis) {
        this.sysctl = sysctl;
        this.timeoutNanos = timeoutMillis * NANOS_PER_MILLI;
    }

    /** @param port 1 to 65535 */
    public Verdict check(InetAddress destination, int port) {
        // Where Linux sends a connection to the wildcard.
        InetAddress address = destination.isAnyLocalAddress() ? loopback(destination) : destination;
        byte[] bytes = address.getAddress();
        if (!sysctl.flag(Tunable.ENABLED)) {
            return Verdict.no(ReasonCode.CNFERR, "smc.enabled is false on this side");
        }
        if (!sysctl.rules(Tunable.CONNECT).allows(bytes, port)) {
            return Verdict.no(ReasonCode.CNFERR, "smc.connect denies it on this side");
        }
        if (!isLocal(address)) {
            return checkHost(address, port);
        }
        int own = Linux.uid();
        Verdict verdict = ask(own, bytes, port);
        for (int trusted : Sideband.trustedUids(sysctl)) {
            if (verdict == null) {
                verdict = ask(trusted, bytes, port);
            }
        }
        return verdict == null ? Verdict.no(ReasonCode.PEERNOSMC, notFound(own, bytes, port)) : verdict;
    }

    private Verdict checkHost(InetAddress address, int port) {
        if (!HostPeers.isConfigured(sysctl)) {
            return Verdict.no(ReasonCode.PEERNOSMC, "not an address of this host, and without " + Tunable.SIDEBAND_PORT.key() + " and "
                    + Tunable.RNIC.key() + " on this side no other host is asked");
        }
        HostCheck.Verdict verdict = HostCheck.check(sysctl, Handshakes.eids(sysctl), address, port);
        return new Verdict(verdict.reason() == 0 ? SmcMode.SMCR : SmcMode.TCP, verdict.reason(), verdict.detail());
    }

    private static InetAddress loopback(InetAddress any) {
        try {
            byte[] bytes = new byte[any.getAddress().length];
            bytes[bytes.length - 1] = 1;
            if (bytes.length == 4) {
                bytes[0] = 127;
            }
            return InetAddress.getByAddress(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Null if that user publishes no listener for the address. */
    private Verdict ask(int uid, byte[] address, int port) {
        for (String name : SidebandName.candidates(uid, address, port)) {
            try (SidebandClient client = SidebandClient.connect(name)) {
                if (client != null) {
                    return ask(client, address, port);
                }
            } catch (IOException e) {
                return Verdict.no(ReasonCode.TIMEOUT_CL, "the server " + e.getMessage());
            }
        }
        return null;
    }

    private Verdict ask(SidebandClient client, byte[] address, int port) throws IOException {
        int uid = client.peer().uid();
        if (uid != Linux.uid() && !isTrusted(uid)) {
            return Verdict.no(ReasonCode.PEERNOSMC, "the name of the listener is held by user "
                    + Integer.toUnsignedString(uid));
        }
        // A client at the same address, as the kernel chooses it.
        FourTuple tuple = new FourTuple(address, 0, address, port);
        client.send(new Envelope(Envelope.Type.CHECK, 1, tuple, Handshakes.proposal(sysctl)));
        long deadline = System.nanoTime() + timeoutNanos;
        while (true) {
            Envelope answer = client.receive(deadline);
            switch (answer.type()) {
                case READY -> {
                    return new Verdict(SmcMode.SMCD, 0, "the server is process " + client.peer().pid());
                }
                case DECLINE -> {
                    return new Verdict(SmcMode.TCP, diagnosis(answer), "the server, process " + client.peer().pid()
                            + ", would decline");
                }
                default -> {
                }
            }
        }
    }

    private boolean isTrusted(int uid) {
        for (int trusted : Sideband.trustedUids(sysctl)) {
            if (trusted == uid) {
                return true;
            }
        }
        return false;
    }

    private static int diagnosis(Envelope answer) throws IOException {
        try {
            if (ClcCodec.decode(answer.payload(), 0, answer.payload().length) instanceof ClcDecline decline) {
                return decline.diagnosis();
            }
        } catch (ClcException e) {
            throw new IOException("answers with a broken Decline: " + e.getMessage());
        }
        throw new IOException("answers with something else than a Decline");
    }

    private static String notFound(int own, byte[] address, int port) {
        if (!TcpListeners.accepts(address, port)) {
            return "nothing listens there";
        }
        try {
            for (String name : PublishedNames.all()) {
                String[] parts = name.split("/");
                if (parts.length == 4 && parts[2].matches("\\d{1,10}")) {
                    int uid = (int) Long.parseLong(parts[2]);
                    for (String candidate : SidebandName.candidates(uid, address, port)) {
                        if (uid != own && candidate.equals(name)) {
                            return "the server belongs to user " + parts[2]
                                    + ", whom smc.peer_uids must name on this side,"
                                    + " and user " + Integer.toUnsignedString(own) + " on the other";
                        }
                    }
                }
            }
        } catch (IOException e) {
            return "a server listens there, but without the agent as far as can be seen: " + e.getMessage();
        }
        return "a server listens there, but without the agent";
    }
}
