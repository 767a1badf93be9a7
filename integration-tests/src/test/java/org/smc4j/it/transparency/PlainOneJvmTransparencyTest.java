package org.smc4j.it.transparency;

/** No agent, both ends in one JVM: proves the scenarios of {@link AgentOneJvmTransparencyTest}. */
final class PlainOneJvmTransparencyTest extends TransparencyRun {
    PlainOneJvmTransparencyTest() {
        super(Configuration.plain().inOneJvm(), EVERYTHING);
    }
}
