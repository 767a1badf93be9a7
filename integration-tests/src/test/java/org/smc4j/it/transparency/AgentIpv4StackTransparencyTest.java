package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** The agent on both ends of JVMs without IPv6. */
@Tag("long")
final class AgentIpv4StackTransparencyTest extends TransparencyRun {
    AgentIpv4StackTransparencyTest() {
        super(Configuration.agents(true, true).with("IPv4 stack", "-Djava.net.preferIPv4Stack=true"), IPV4);
    }
}
