package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** The whole catalogue on two hosts with software RNICs. */
@Tag("long")
final class RdmaWholeTransparencyTest extends TransparencyRun {
    RdmaWholeTransparencyTest() {
        super(Configuration.agents(true, true).onTwoHostsWithRnics(), ANY_NETWORK);
    }
}
