package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcException;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.cdc.Cursor;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

/** A connection between two hosts with two links, in virtual time. */
abstract class ConnectionFixture {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000_000_000L;
    static final int RING = 16384;

    final VirtualTime time = new VirtualTime(1);
    LinkedHosts hosts;
    TestEnd client;
    TestEnd server;

    @BeforeEach
    void connect() throws RoceException {
        hosts = new LinkedHosts(time, RnicModel.PLAIN, LinkedHosts.SIZES_V1, 2);
        open(Options.PLAIN);
    }

    @AfterEach
    void disconnect() {
        hosts.close();
    }

    /** Another connection, on the first link. */
    void open(Options options) throws RoceException {
        if (client != null) {
            hosts.client.connections.remove(options.clientToken());
            hosts.server.connections.remove(options.serverToken());
        }
        TestEnd[] ends = TestEnd.pair(hosts, 0, options);
        client = ends[0];
        server = ends[1];
    }

    /** Everything that is under way arrives. */
    void settle() {
        time.advance(10 * MILLI);
    }

    /** What was posted since the last time. */
    List<String> posted() throws CdcException {
        return hosts.describePosted(client, server);
    }

    /** A message that the server's device sends to the client's connection, whatever the server's connection thinks. */
    void forge(CdcMessage message) {
        forge(0, message);
    }

    void forge(int link, CdcMessage message) {
        hosts.server.workQueues.get(link).send(CdcCodec.encode(message), completed -> assertTrue(completed));
        time.advance(MILLI);
        hosts.posted.removeIf(posted -> !posted.byClient());
    }

    static CdcMessage cdc(int sequence, long produced, long consumed, int producerFlags, int stateFlags) {
        return new CdcMessage(sequence, Options.PLAIN.clientToken(), Cursor.at(produced, RING), Cursor.at(consumed, RING),
                producerFlags, stateFlags);
    }

    /** As {@link LinkedHosts#describePosted} describes a message of the client. */
    static String byClient(int sequence, long produced, long consumed, int producerFlags, int stateFlags) {
        return "client " + new CdcMessage(sequence, Options.PLAIN.serverToken(), Cursor.at(produced, RING), Cursor.at(consumed, RING),
                producerFlags, stateFlags);
    }

    static String byServer(int sequence, long produced, long consumed, int producerFlags, int stateFlags) {
        return "server " + cdc(sequence, produced, consumed, producerFlags, stateFlags);
    }
}
