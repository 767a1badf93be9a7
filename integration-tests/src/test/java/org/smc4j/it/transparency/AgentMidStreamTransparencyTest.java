package org.smc4j.it.transparency;

/** The agent on both ends, the streams switch after some thousand bytes on TCP. */
final class AgentMidStreamTransparencyTest extends TransparencyRun {
    AgentMidStreamTransparencyTest() {
        super(Configuration.agents(true, true).with("switch in mid-stream", "-Dsmc.switch_after_bytes=5000",
                // Nobody waits for the decision: the streams are on TCP when it falls, and most short ones stay there.
                "-Dsmc.switch_wait_ms=0"), DATA);
    }
}
