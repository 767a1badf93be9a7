package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** The agent only at the listening end: plain TCP, and nobody notices. */
@Tag("long")
final class AgentServerTransparencyTest extends TransparencyRun {
    AgentServerTransparencyTest() {
        super(Configuration.agents(true, false), EVERYTHING);
    }
}
