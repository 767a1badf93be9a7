package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** The agent only at the connecting end: plain TCP, and nobody notices. */
@Tag("long")
final class AgentClientTransparencyTest extends TransparencyRun {
    AgentClientTransparencyTest() {
        super(Configuration.agents(false, true), EVERYTHING);
    }
}
