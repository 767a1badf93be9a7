package org.smc4j.linkgroup;

import org.smc4j.wire.Checks;

/**
 * What new link groups begin with.
 *
 * @param testLinkNanos time without a message after which the peer is asked whether it still answers; 0: never
 */
public record LinkGroupSettings(long testLinkNanos, BufferMemory memory) {
    /** {@code net.smc.smcr_testlink_time}: 30 s. */
    public static final long DEFAULT_TEST_LINK_NANOS = 30_000_000_000L;

    public LinkGroupSettings {
        Checks.range("TEST LINK interval", testLinkNanos, 0, Long.MAX_VALUE);
    }
}
