package org.smc4j.it.transparency;

/** The agent on both ends: every connection is on SMC before its first byte. */
final class AgentTransparencyTest extends TransparencyRun {
    AgentTransparencyTest() {
        super(Configuration.agents(true, true), EVERYTHING);
    }
}
