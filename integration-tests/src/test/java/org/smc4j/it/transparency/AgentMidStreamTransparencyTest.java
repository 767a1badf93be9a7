package org.smc4j.it.transparency;

/** The agent on both ends, the streams switch after some thousand bytes on TCP. */
final class AgentMidStreamTransparencyTest extends TransparencyRun {
    AgentMidStreamTransparencyTest() {
        super(Configuration.agents(true, true).with("switch in mid-stream", "-Dsmc.switch_after_bytes=5000"), DATA);
    }
}
