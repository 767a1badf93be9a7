package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.smc4j.it.support.TwoHosts;

/**
 * What applications must do also with their JVMs on two hosts. Not yet of those whose two-host runs have failed: Jetty with large
 * requests, and ZooKeeper, some of whose connections stay on TCP.
 */
abstract class TwoHostsContract extends ApplicationContract {
    @Test
    @Tag("smc")
    void shouldGiveTheSameResultsOverRdmaWhenItsJvmsAreOnTwoHosts() throws Exception {
        String unavailable = TwoHosts.unavailable();
        Assumptions.assumeTrue(unavailable == null, unavailable);
        try (Run run = Run.onTwoHosts(name + "-rdma")) {
            assertEquals(expected(), results(run));
            run.stop();
            verifyCounters(run);
        }
    }
}
