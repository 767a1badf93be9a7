package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

@Timeout(30)
class RdmaConnectionTest {
    private final VirtualTime time = new VirtualTime(1);
    private LinkedHosts hosts;
    private TestEnd client;
    private TestEnd server;

    @BeforeEach
    void connect() throws Exception {
        hosts = new LinkedHosts(time, RnicModel.PLAIN, WorkQueue.Settings.defaults(true), 2);
        open(Options.PLAIN);
    }

    private void open(Options options) throws Exception {
        TestEnd[] ends = TestEnd.pair(hosts, 0, options);
        client = ends[0];
        server = ends[1];
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private void settle() {
        assertTrue(time.runUntilIdle(100_000_000L));
    }

    @Test
    void shouldCarryBytes() {
        assertEquals(100, client.send(0, 100));
        settle();
        assertEquals(100, server.connection.available());
        assertEquals(100, server.receive(0, 1000));
    }
}
