package org.smc4j.linkgroup;

import org.smc4j.wire.Checks;

/**
 * What new link groups begin with.
 *
 * @param testLinkNanos time without a message after which the peer is asked whether it still answers
 *                      (net.smc.smcr_testlink_time); 0: never
 */
public record LinkGroupSettings(long testLinkNanos, BufferMemory memory) {
    public LinkGroupSettings {
        Checks.range("TEST LINK interval", testLinkNanos, 0, Long.MAX_VALUE);
    }
}
