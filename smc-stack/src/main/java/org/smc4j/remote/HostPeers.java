package org.smc4j.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.Hostname;
import org.smc4j.connection.Bell;
import org.smc4j.core.SmcrHost;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.linkgroup.BufferMemory;
import org.smc4j.linkgroup.LinkGroupSettings;
import org.smc4j.negotiation.ClientHandshake;
import org.smc4j.negotiation.ConnectionFacts;
import org.smc4j.negotiation.HandshakeTurns;
import org.smc4j.negotiation.HostNetwork;
import org.smc4j.negotiation.LocalAbilities;
import org.smc4j.negotiation.LocalEids;
import org.smc4j.negotiation.LocalPort;
import org.smc4j.negotiation.PnetTable;
import org.smc4j.negotiation.ServerHandshake;
import org.smc4j.negotiation.Technology;
import org.smc4j.negotiation.Trial;
import org.smc4j.proxy.Exchange;
import org.smc4j.proxy.HostSideband;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.SocketRnic;
import org.smc4j.sideband.Directory;
import org.smc4j.sideband.Endpoint;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import org.smc4j.time.EventLoop;
import org.smc4j.time.Scheduler;

/**
 * The other hosts, as peers of this process. Public methods may be called by any thread and never block; what they hand on happens
 * on the thread of the loop.
 */
public final class HostPeers implements HostSideband.Proposals {
    private static final String PHYSICAL_NETWORK = "SMC4J";
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NETWORK_AGE_NANOS = 1_000 * NANOS_PER_MILLI;
    /**
     * Handshakes with one listener that are under way at a time; others wait. A server answers when its application has accepted the
     * connection, and would not get to the last of a thousand before they have timed out.
     */
    private static final int PROPOSED_AT_ONCE = 128;
    private static final int IPV4_LENGTH = 4;
    /** How long the end of the process waits for bytes to be sent, as the kernel's close does (spec/50-sockets.md §2). */
    private static final long EXIT_MILLIS = 2_000;

    private final Sysctl sysctl;
    private final Directory directory;
    private final LocalEids eids;
    private final EventLoop loop = new EventLoop("smc4j-hosts");
    /** Streams of which something is left. */
    private final Set<RdmaStream> streams = ConcurrentHashMap.newKeySet();
    /** Proposals that have overtaken the accept of their connection; changed on the loop only. */
    private final Map<Client, Waiting> waiting = new ConcurrentHashMap<>();

    // Used on the loop only.
    private final Map<Endpoint, HostHandshake> handshakes = new IdentityHashMap<>();
    /** The 4-tuples of handshakes that have not proposed yet. */
    private final Map<HostHandshake, FourTuple> tuples = new IdentityHashMap<>();
    private final Map<Server, Proposals> proposals = new HashMap<>();
    private SmcrHost smcr;
    private HandshakeTurns turns;
    private PnetTable pnetIds;
    private HostSideband sideband;
    private HostNetwork network;
    private long networkRead;

    /** The end that the server does not choose, and the port that it came to. */
    private record Client(InetAddress address, int port, int serverPort) {
    }

    /** A listener of another host. */
    private record Server(InetAddress address, int port) {
    }

    /** Those to one listener. */
    private static final class Proposals {
        final Set<HostHandshake> open = Collections.newSetFromMap(new IdentityHashMap<>());
        final ArrayDeque<Runnable> backlog = new ArrayDeque<>();
    }

    /** Whether the settings ask for SMC-R at all. */
    public static boolean isConfigured(Sysctl sysctl) {
        return HostSideband.isConfigured(sysctl) && !words(sysctl.text(Tunable.RNIC)).isEmpty();
    }

    /** Starts the thread, which opens the RNICs and the sideband. */
    public HostPeers(Sysctl sysctl, Directory directory, LocalEids eids) {
        this.sysctl = sysctl;
        this.directory = directory;
        this.eids = eids;
        loop.execute(this::open);
        loop.start();
        Runtime.getRuntime().addShutdownHook(new Thread(null, this::awaitSent, "smc4j-exit", 0, false));
    }

    private static List<String> words(String text) {
        return List.of(text.replace(',', ' ').trim().split(" +")).stream().filter(word -> !word.isEmpty()).toList();
    }

    private void open() {
        Log.warn("SMC-R between hosts is experimental (" + Tunable.RNIC.key() + ")");
        pnetIds = new PnetTable(PnetTable.Hardware.NONE);
        smcr = new SmcrHost(loop, pnetIds, new LinkGroupSettings(sysctl.number(Tunable.SMCR_TESTLINK_TIME) * NANOS_PER_SECOND,
                BufferMemory.ofProcess()),
                new SmcrHost.Settings((int) sysctl.number(Tunable.WMEM), (int) sysctl.number(Tunable.RMEM),
                        sysctl.number(Tunable.AUTOCORKING_SIZE), (int) sysctl.number(Tunable.SMCR_MAX_SEND_WR),
                        (int) sysctl.number(Tunable.SMCR_MAX_RECV_WR), SystemInstance.claim(ThreadLocalRandom.current()), true,
                        () -> sysctl.flag(Tunable.OVERFLOW)), ThreadLocalRandom.current());
        turns = new HandshakeTurns(loop);
        for (String network : words(sysctl.text(Tunable.RNIC))) {
            String device = "smc4j-" + network;
            try {
                SocketRnic rnic = SocketRnic.open(device, network);
                pnetIds.add(PHYSICAL_NETWORK, network, device, 1);
                smcr.add(rnic);
            } catch (RoceException e) {
                Log.error(Tunable.RNIC.key() + ": " + e.getMessage());
            }
        }
        sideband = new HostSideband(sysctl, loop, this);
    }

    // -- Any thread --

    /** A listener of this process accepts connections of other hosts from now on. */
    public void publish(byte[] address, int port) {
        loop.execute(() -> sideband.publish(address(address), port));
    }

    /** Takes back one {@link #publish}. */
    public void unpublish(byte[] address, int port) {
        loop.execute(() -> sideband.unpublish(address(address), port));
    }

    /** The link groups of SMC-R, their links and RNICs; {@code receiver} is called on the thread of the loop. */
    public void report(Consumer<LinkGroupReport> receiver) {
        loop.execute(() -> receiver.accept(smcr.report()));
    }

    /** Proposes SMC to the server of a connected socket. */
    public void propose(Endpoint endpoint, FourTuple tuple) {
        Server server = new Server(tuple.serverAddress(), tuple.serverPort());
        loop.execute(() -> {
            proposals.computeIfAbsent(server, _ -> new Proposals()).backlog.add(() -> begin(server, endpoint, tuple));
            proposeNext(server);
        });
    }

    /** A connection was accepted, and the directory knows it: a proposal may be waiting for it. */
    public void accepted(InetAddress client, int clientPort, int serverPort) {
        if (waiting.isEmpty()) {
            return;
        }
        Waiting proposal = waiting.get(new Client(client, clientPort, serverPort));
        if (proposal != null) {
            loop.execute(proposal::look);
        }
    }

    /** A connection was closed before the end of its handshake. */
    public void cancel(Endpoint endpoint) {
        loop.execute(() -> {
            HostHandshake handshake = handshakes.get(endpoint);
            if (handshake != null) {
                handshake.cancel();
            }
        });
    }

    // -- Client --

    private void proposeNext(Server server) {
        Proposals all = proposals.get(server);
        while (all != null && all.open.size() < PROPOSED_AT_ONCE && !all.backlog.isEmpty()) {
            all.backlog.remove().run();
        }
        if (all != null && all.open.isEmpty() && all.backlog.isEmpty()) {
            proposals.remove(server);
        }
    }

    private void begin(Server server, Endpoint endpoint, FourTuple tuple) {
        ConnectionFacts facts = facts(tuple.client(), tuple.server());
        boolean possible = facts != null && endpoint.isSwitchable();
        RdmaStream stream = possible ? stream(endpoint) : null;
        if (stream == null) {
            endpoint.declined((possible ? ReasonCode.MEM : ReasonCode.INTERR).number());
            return;
        }
        HostHandshake handshake = new HostHandshake(this, endpoint, stream) {
            private boolean isReady;

            @Override
            void attached() {
                send(Type.ATTACHED);
                if (isReady) {
                    ready(true);
                }
            }

            @Override
            boolean mayPeerHaveSwitched() {
                // The server does so when it has heard that we are attached, and its READY may be lost.
                return true;
            }

            @Override
            void peerAttached() {
                // The server's word is READY.
            }

            @Override
            void peerReady() {
                isReady = true;
                if (isAttached()) {
                    ready(true);
                }
            }

            @Override
            void over() {
                proposals.get(server).open.remove(this);
                loop.execute(() -> proposeNext(server));
            }
        };
        proposals.get(server).open.add(handshake);
        handshakes.put(endpoint, handshake);
        tuples.put(handshake, tuple);
        ClientHandshake course = new ClientHandshake(loop, handshake::carry, smcr.resources(stream), turns, handshake::ended);
        handshake.handshake(course);
        course.begin(abilities(), facts);
    }

    Exchange propose(HostHandshake handshake, byte[] proposal) {
        return sideband.propose(tuples.remove(handshake), proposal, handshake);
    }

    // -- Only asked --

    /** Asks what would become of a connection to another host; {@code receiver} is called on the thread of the loop. */
    void check(FourTuple tuple, Consumer<HostCheck.Verdict> receiver) {
        loop.execute(() -> {
            String problem = sideband.unavailabilityCause();
            ConnectionFacts facts = facts(tuple.client(), tuple.server());
            if (problem != null || facts == null) {
                receiver.accept(HostCheck.Verdict.no(problem != null ? ReasonCode.CNFERR : ReasonCode.INTERR,
                        problem != null ? problem + " on this side" : "the interfaces of this host cannot be read"));
                return;
            }
            Trial.Opening opening = Trial.opening(abilities(), facts);
            if (opening.reason() != null) {
                receiver.accept(HostCheck.Verdict.no(opening.reason(), noRnic(tuple)));
                return;
            }
            sideband.check(tuple, ClcCodec.encode(opening.proposal()), new Exchange.Handler() {
                @Override
                public void received(Exchange exchange, Type type, byte[] payload) {
                    receiver.accept(new HostCheck.Verdict(0, "the server agrees, from here over " + opening.rnic()));
                }

                @Override
                public void ended(Exchange exchange, DeclineReason reason, byte[] payload) {
                    receiver.accept(payload.length > 0 && HostHandshake.decode(payload) instanceof ClcDecline decline
                            ? new HostCheck.Verdict(decline.diagnosis(), "the server would decline")
                            : HostCheck.Verdict.no(reason.reasonCode(), reason.words()));
                }
            });
        });
    }

    private String noRnic(FourTuple tuple) {
        for (LocalPort port : smcr.devices().ports()) {
            if (port.isActive()) {
                return tuple.server().length == IPV4_LENGTH ? "no RNIC of smc.rnic on this side has an IPv4 address that suits the connection"
                        : "SMC-R goes with IPv4 only";
            }
        }
        return "no RNIC of smc.rnic is active on this side";
    }

    /** What a proposal for such a connection would be declined with now; null if it would not be. */
    private ReasonCode refusal(Exchange exchange) {
        FourTuple tuple = exchange.tuple();
        if (!isAccepted(tuple)) {
            return ReasonCode.CNFERR;
        }
        ConnectionFacts facts = facts(tuple.server(), tuple.client());
        ClcProposal proposal = proposal(exchange);
        return facts == null || proposal == null ? ReasonCode.INTERR : Trial.refusal(abilities(), facts, proposal);
    }

    private void answer(Exchange check) {
        ReasonCode refusal = refusal(check);
        if (refusal == null) {
            check.send(Type.READY, new byte[0]);
        } else {
            check.decline(ClcCodec.encode(ClcDecline.v2(refusal)));
        }
    }

    /** For an exchange that is over with our first word. */
    private static final class NothingToHear implements Exchange.Handler {
        @Override
        public void received(Exchange exchange, Type type, byte[] payload) {
            // Who only asks says nothing more.
        }

        @Override
        public void ended(Exchange exchange, DeclineReason reason, byte[] payload) {
            // Nothing was begun.
        }
    }

    // -- Server --

    private boolean isAccepted(FourTuple tuple) {
        return sysctl.flag(Tunable.ENABLED) && sysctl.rules(Tunable.ACCEPT).allows(tuple.client(), tuple.serverPort());
    }

    private static ClcProposal proposal(Exchange exchange) {
        byte[] bytes = exchange.proposal();
        try {
            return ClcCodec.decode(bytes, 0, bytes.length) instanceof ClcProposal proposal ? proposal : null;
        } catch (ClcException e) {
            Log.debug(exchange + ": " + e.getMessage());
            return null;
        }
    }

    @Override
    public Exchange.Handler proposed(Exchange exchange) {
        if (exchange.type() == Type.CHECK) {
            loop.execute(() -> answer(exchange));
            return new NothingToHear();
        }
        Waiting proposal = new Waiting(exchange);
        loop.execute(proposal::begin);
        return proposal;
    }

    /** A proposal whose connection this process may not have accepted yet. */
    private final class Waiting implements Exchange.Handler {
        private final Exchange exchange;
        private final Client client;
        private Scheduler.Timer timer;
        private HostHandshake handshake;
        private boolean over;

        Waiting(Exchange exchange) {
            this.exchange = exchange;
            FourTuple tuple = exchange.tuple();
            client = new Client(tuple.clientAddress(), tuple.clientPort(), tuple.serverPort());
        }

        void begin() {
            if (over) {
                return;
            }
            // Before the first look, so that an accept after that finds it.
            waiting.put(client, this);
            timer = loop.schedule(sysctl.number(Tunable.HANDSHAKE_TIMEOUT_MS) * NANOS_PER_MILLI, this::timeUp);
            look();
        }

        void look() {
            Endpoint endpoint = over ? null : find(exchange.tuple());
            if (endpoint != null) {
                over();
                accept(endpoint);
            }
        }

        private void timeUp() {
            over();
            decline(ReasonCode.PEERNOSMC);
        }

        private void over() {
            over = true;
            if (timer != null) {
                timer.cancel();
                waiting.remove(client, this);
            }
        }

        private void decline(ReasonCode reason) {
            exchange.decline(ClcCodec.encode(ClcDecline.v2(reason)));
        }

        private void accept(Endpoint endpoint) {
            FourTuple tuple = exchange.tuple();
            if (!isAccepted(tuple)) {
                endpoint.declined(ReasonCode.CNFERR.number());
                decline(ReasonCode.CNFERR);
                return;
            }
            ConnectionFacts facts = facts(tuple.server(), tuple.client());
            ClcProposal proposal = proposal(exchange);
            boolean possible = proposal != null && facts != null && endpoint.isSwitchable()
                    && !handshakes.containsKey(endpoint);
            RdmaStream stream = possible ? stream(endpoint) : null;
            if (stream == null) {
                decline(possible ? ReasonCode.MEM : ReasonCode.INTERR);
                return;
            }
            endpoint.handshaking();
            handshake = new HostHandshake(HostPeers.this, endpoint, stream) {
                private boolean clientAttached;

                @Override
                void attached() {
                    if (clientAttached) {
                        bothAttached();
                    }
                }

                @Override
                boolean mayPeerHaveSwitched() {
                    // The client waits for READY.
                    return false;
                }

                @Override
                void peerAttached() {
                    clientAttached = true;
                    if (isAttached()) {
                        bothAttached();
                    }
                }

                private void bothAttached() {
                    send(Type.READY);
                    ready(false);
                }

                @Override
                void peerReady() {
                    // Only the server says so.
                }

                @Override
                void over() {
                    // Nothing waits for that.
                }
            };
            handshake.exchange = exchange;
            handshakes.put(endpoint, handshake);
            ServerHandshake course = new ServerHandshake(loop, handshake::carry, smcr.resources(stream), turns, HostPeers.this::abilities,
                    facts, handshake::ended);
            handshake.handshake(course);
            course.begin();
            course.received(proposal);
        }

        @Override
        public void received(Exchange from, Type type, byte[] payload) {
            if (handshake != null) {
                handshake.received(from, type, payload);
            }
        }

        @Override
        public void ended(Exchange which, DeclineReason reason, byte[] payload) {
            over();
            if (handshake != null) {
                handshake.ended(which, reason, payload);
            }
        }
    }

    private Endpoint find(FourTuple tuple) {
        Endpoint endpoint = known(tuple);
        return endpoint != null && tuple.matches(SocketAddresses.local(endpoint.descriptor()),
                SocketAddresses.remote(endpoint.descriptor()))
                // Closed meanwhile, its descriptor may be that of the next connection with the same addresses.
                && known(tuple) == endpoint ? endpoint : null;
    }

    private Endpoint known(FourTuple tuple) {
        return directory.accepted(tuple.clientAddress(), tuple.clientPort(), tuple.serverPort());
    }

    // -- Both --

    private LocalAbilities abilities() {
        HostNetwork known = network();
        return new LocalAbilities(EnumSet.of(Technology.SMCR_V2), smcr.systemId(), eids, List.of(), smcr.devices().ports(),
                known == null ? Set.of() : known.activeNetworks(pnetIds), (int) sysctl.number(Tunable.SMCR_MAX_CONNS_PER_LGR),
                (int) sysctl.number(Tunable.SMCR_MAX_LINKS_PER_LGR), ClcMessage.RELEASE_1, 0, Hostname.of("smc4j"));
    }

    private ConnectionFacts facts(byte[] local, byte[] remote) {
        HostNetwork known = network();
        return known == null ? null : known.facts(address(local), address(remote), pnetIds);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** As it was a second ago at most; null if the system does not say. */
    private HostNetwork network() {
        long now = loop.nanoTime();
        if (network == null || now - networkRead > NETWORK_AGE_NANOS) {
            try {
                network = HostNetwork.read();
                networkRead = now;
            } catch (IOException e) {
                Log.debug("cannot read the interfaces of this host: " + e.getMessage());
            }
        }
        return network;
    }

    /** Null if there is no descriptor left. */
    private RdmaStream stream(Endpoint endpoint) {
        int doorbell = Linux.eventfd();
        if (doorbell < 0) {
            Log.debug("eventfd: " + Errno.describe(doorbell));
            return null;
        }
        RdmaStream stream = new RdmaStream(endpoint, loop, new Bell(doorbell), streams::remove);
        streams.add(stream);
        return stream;
    }

    void over(Endpoint endpoint, HostHandshake handshake) {
        handshakes.remove(endpoint, handshake);
        tuples.remove(handshake);
        handshake.over();
    }

    /** Bytes that were written before the process ends are sent, as TCP would. */
    private void awaitSent() {
        long deadline = System.nanoTime() + EXIT_MILLIS * NANOS_PER_MILLI;
        try {
            while (streams.stream().anyMatch(RdmaStream::isSending) && System.nanoTime() - deadline < 0) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
