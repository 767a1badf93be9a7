package org.smc4j.it.transparency;

/** The agent only at the listening end: plain TCP, and nobody notices. */
final class AgentServerTransparencyTest extends TransparencyRun {
    AgentServerTransparencyTest() {
        super(Configuration.agents(true, false), EVERYTHING);
    }
}
