package org.smc4j.it.transparency;

/** The agent on both ends of JVMs without IPv6. */
final class AgentIpv4StackTransparencyTest extends TransparencyRun {
    AgentIpv4StackTransparencyTest() {
        super(Configuration.agents(true, true).with("IPv4 stack", "-Djava.net.preferIPv4Stack=true"), IPV4);
    }
}
