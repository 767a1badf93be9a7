package org.smc4j.it.transparency;

/** The agent only at the connecting end: plain TCP, and nobody notices. */
final class AgentClientTransparencyTest extends TransparencyRun {
    AgentClientTransparencyTest() {
        super(Configuration.agents(false, true), EVERYTHING);
    }
}
