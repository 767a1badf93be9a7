package org.smc4j.linkgroup;

import org.smc4j.time.VirtualTime;

/** What tests of a client and a server host in virtual time begin with. */
abstract class TwoHostsFixture {
    static final long SECOND = TwoHosts.SECOND;

    final VirtualTime time;
    TwoHosts hosts;

    TwoHostsFixture(long seed) {
        time = new VirtualTime(seed);
    }

    /** Hosts with so many ports each, whose link groups are of version 1 or 2 and do not test idle links. */
    final void setUpHosts(int version, int clientPorts, int serverPorts) {
        hosts = new TwoHosts(time, time.random(), clientPorts, serverPorts, 0);
        if (version == 2) {
            hosts.version2(2);
        }
    }
}
