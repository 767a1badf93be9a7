package org.smc4j.it.transparency;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * One promise of the socket API.
 *
 * @param name   unique, {@code group.what-is-promised}
 * @param limit  how long both halves together may take before the scenario counts as hung
 * @param traits which runs want it
 * @param server half of the end that listens
 * @param client half of the end that connects
 */
record Scenario(String name, Duration limit, Set<Trait> traits, Half server, Half client) {

    /** What the runs that take only a part of the catalogue select by. */
    enum Trait {
        /** Moves checked content; also run with the switch happening in the middle of the stream. */
        DATA,
        /** Needs IPv6 and has no meaning with {@code java.net.preferIPv4Stack=true}. */
        IPV6,
        /** Needs the addresses, or the buffers, of a loopback interface between the ends. */
        LOOPBACK
    }

    /** Which half; in one-JVM runs both live in the same process. */
    enum Role {
        SERVER, CLIENT;

        Role peer() {
            return this == SERVER ? CLIENT : SERVER;
        }

        String text() {
            return this == SERVER ? "server" : "client";
        }
    }

    /** One end's part; any exception or failed assertion that leaves it fails the scenario. */
    interface Half {
        void run(End end) throws Exception;
    }

    static Scenario of(String name, Half server, Half client) {
        return new Scenario(name, Duration.ofSeconds(15), Set.of(), server, client);
    }

    static Scenario data(String name, Half server, Half client) {
        return new Scenario(name, Duration.ofSeconds(20), Set.of(Trait.DATA), server, client);
    }

    Scenario limit(int seconds) {
        return new Scenario(name, Duration.ofSeconds(seconds), traits, server, client);
    }

    Scenario with(Trait trait) {
        final Set<Trait> more = EnumSet.of(trait);
        more.addAll(traits);
        return new Scenario(name, limit, Set.copyOf(more), server, client);
    }

    String group() {
        return name.substring(0, name.indexOf('.'));
    }
}
