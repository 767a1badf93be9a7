package org.smc4j.it.transparency;

/** Both ends in one JVM with the agent. */
final class AgentOneJvmTransparencyTest extends TransparencyRun {
    AgentOneJvmTransparencyTest() {
        super(Configuration.agents(true, true).inOneJvm(), EVERYTHING);
    }
}
