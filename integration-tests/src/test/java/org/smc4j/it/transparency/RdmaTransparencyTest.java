package org.smc4j.it.transparency;

/**
 * The agent on both ends, which are on two hosts with software RNICs: every connection is on SMC-R before its first byte, also when
 * a thousand are opened at once.
 */
final class RdmaTransparencyTest extends TransparencyRun {
    RdmaTransparencyTest() {
        super(Configuration.agents(true, true).onTwoHostsWithRnics(), ANY_NETWORK.and(scenario ->
                scenario.group().equals("data-socket") || scenario.name().equals("selector-mix.more-ready-than-one-wait-can-report")));
    }
}
