package org.smc4j.carrier;

import java.net.InetAddress;
import org.smc4j.time.ExpiringMap;
import org.smc4j.time.Scheduler;

/**
 * Hosts that did not answer on their sideband port as they must, and why. They are left alone for some time, so that a
 * connection to such a host is plain TCP without further cost.
 */
final class NegativeAnswers {
    /** How long at most after a refusal: to ask again costs the host one packet, and it may be just starting. */
    static final long REFUSED_NANOS = 5_000_000_000L;
    private static final int MAX_HOSTS = 4096;

    private final ExpiringMap<InetAddress, DeclineReason> refused;
    private final ExpiringMap<InetAddress, DeclineReason> others;

    /** @param retryNanos how long a host is left alone */
    NegativeAnswers(Scheduler scheduler, long retryNanos) {
        refused = new ExpiringMap<>(scheduler, Math.min(REFUSED_NANOS, retryNanos), MAX_HOSTS, (host, reason) -> { });
        others = new ExpiringMap<>(scheduler, retryNanos, MAX_HOSTS, (host, reason) -> { });
    }

    void add(InetAddress host, DeclineReason reason) {
        remove(host);
        (reason == DeclineReason.REFUSED ? refused : others).put(host, reason);
    }

    void remove(InetAddress host) {
        refused.remove(host);
        others.remove(host);
    }

    /** Why the host is left alone, null if it is not. */
    DeclineReason get(InetAddress host) {
        DeclineReason reason = refused.get(host);
        return reason == null ? others.get(host) : reason;
    }
}
