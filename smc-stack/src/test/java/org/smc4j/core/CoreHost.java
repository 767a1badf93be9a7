package org.smc4j.core;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.Mac;
import org.smc4j.linkgroup.BufferMemory;
import org.smc4j.linkgroup.LinkGroupSettings;
import org.smc4j.negotiation.ConnectionFacts;
import org.smc4j.negotiation.HandshakeTurns;
import org.smc4j.negotiation.LocalAbilities;
import org.smc4j.negotiation.LocalEids;
import org.smc4j.negotiation.LocalInterface;
import org.smc4j.negotiation.PnetId;
import org.smc4j.negotiation.PnetTable;
import org.smc4j.negotiation.Routes;
import org.smc4j.negotiation.Technology;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.roce.software.SimulatedFabric;
import org.smc4j.roce.software.SimulatedRnic;
import org.smc4j.time.VirtualTime;

/** A host of a test with some RNICs of one port each, in one physical network. */
final class CoreHost implements AutoCloseable {
    private static final int NETWORK = 0x0A_08_00_00;
    private static final int BUFFER = 65_536;
    private static final String PHYSICAL_NETWORK = "NET1";
    private static final PnetTable.Hardware NO_HARDWARE = new PnetTable.Hardware() {
        @Override
        public PnetId ofNetwork(String name) {
            return PnetId.NONE;
        }

        @Override
        public PnetId ofDevice(String name, int port) {
            return PnetId.NONE;
        }
    };

    private static final long TEST_LINK_NANOS = 30_000_000_000L;

    final SmcrHost smcr;
    final HandshakeTurns turns;
    final List<SimulatedRnic> rnics = new ArrayList<>();
    private final int number;
    private final Set<Technology> technologies;

    CoreHost(VirtualTime time, SimulatedFabric fabric, int number, int rnicCount, Technology technology) throws RoceException {
        this.number = number;
        technologies = EnumSet.of(technology);
        turns = new HandshakeTurns(time);
        PnetTable pnetIds = new PnetTable(NO_HARDWARE);
        for (int i = 0; i < rnicCount; i++) {
            pnetIds.add(PHYSICAL_NETWORK, null, rnicName(i), 1);
        }
        pnetIds.add(PHYSICAL_NETWORK, "eth0", null, 1);
        smcr = new SmcrHost(time, pnetIds, new LinkGroupSettings(TEST_LINK_NANOS, BufferMemory.ofProcess()),
                new SmcrHost.Settings(BUFFER, BUFFER, BUFFER, 16, 48, number, false, () -> false), time.random());
        for (int i = 0; i < rnicCount; i++) {
            SimulatedRnic rnic = fabric.addRnic(rnicName(i), RnicModel.PLAIN, SimulatedFabric.port(1, "eth" + i,
                    new Mac(0x02_00_00_00_00_00L + 256L * i + number), address(i), 24));
            rnics.add(rnic);
            smcr.add(rnic);
        }
    }

    private String rnicName(int index) {
        return "host" + number + "-rnic" + index;
    }

    private int address(int index) {
        return NETWORK + 10 * number + index;
    }

    LocalAbilities abilities() {
        return new LocalAbilities(technologies, smcr.systemId(), new LocalEids(List.of(Eid.ueid("SMC4J-TEST")), Eid.NONE, false),
                List.of(), smcr.devices().ports(), Set.of(new PnetId(PHYSICAL_NETWORK)), 255, 2, 1, 0, Hostname.of("host" + number));
    }

    ConnectionFacts connection() {
        LocalInterface egress = new LocalInterface("eth0", "eth0", true, 0, List.of(new LocalInterface.Ipv4(address(0), 24)), List.of());
        return new ConnectionFacts(InetAddress.ofLiteral("10.8.0." + 10 * number), egress, new PnetId(PHYSICAL_NETWORK),
                (source, destination) -> new Routes.Direct());
    }

    @Override
    public void close() {
        rnics.forEach(SimulatedRnic::close);
    }
}
