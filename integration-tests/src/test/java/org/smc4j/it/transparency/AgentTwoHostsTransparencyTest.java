package org.smc4j.it.transparency;

/** The agent on both ends, which are on two hosts: everything is TCP as without it, so a small part will do. */
final class AgentTwoHostsTransparencyTest extends TransparencyRun {
    AgentTwoHostsTransparencyTest() {
        super(Configuration.agents(true, true).onTwoHosts(), ANY_NETWORK.and(IPV4));
    }
}
