package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** No agent, a JVM without IPv6: proves the scenarios of {@link AgentIpv4StackTransparencyTest}. */
@Tag("long")
final class PlainIpv4StackTransparencyTest extends TransparencyRun {
    PlainIpv4StackTransparencyTest() {
        super(Configuration.plain().with("IPv4 stack", "-Djava.net.preferIPv4Stack=true"), IPV4);
    }
}
