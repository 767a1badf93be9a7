package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** Both ends in one JVM with the agent. */
@Tag("long")
final class AgentOneJvmTransparencyTest extends TransparencyRun {
    AgentOneJvmTransparencyTest() {
        super(Configuration.agents(true, true).inOneJvm(), EVERYTHING);
    }
}
