package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** No agent, both ends in one JVM: proves the scenarios of {@link AgentOneJvmTransparencyTest}. */
@Tag("long")
final class PlainOneJvmTransparencyTest extends TransparencyRun {
    PlainOneJvmTransparencyTest() {
        super(Configuration.plain().inOneJvm(), EVERYTHING);
    }
}
