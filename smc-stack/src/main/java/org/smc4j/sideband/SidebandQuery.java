package org.smc4j.sideband;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.smc4j.ffi.linux.Linux;

/**
 * Asks one process of this user for a report. To ask many at a time, open them all first: they work on the answers
 * while the caller reads the first.
 */
public final class SidebandQuery implements AutoCloseable {
    private final SidebandClient client;

    private SidebandQuery(SidebandClient client) {
        this.client = client;
    }

    /** What can be asked for. */
    public enum Topic {
        /** A line for each socket, see {@link org.smc4j.status.SocketStatus}. */
        SOCKETS,
        /** The lines of {@link org.smc4j.status.Counters}. */
        COUNTERS,
        /** The lines of {@link org.smc4j.status.LinkGroupReport}. */
        LINK_GROUPS;

        byte[] encode() {
            return name().getBytes(StandardCharsets.US_ASCII);
        }

        /** Null for what only another version knows. */
        static Topic decode(byte[] payload) {
            String name = new String(payload, StandardCharsets.US_ASCII);
            for (Topic topic : values()) {
                if (topic.name().equals(name)) {
                    return topic;
                }
            }
            return null;
        }
    }

    /**
     * The processes of this user and network namespace that have used a socket under the agent, by process id.
     *
     * @throws IOException if the kernel's table of UNIX sockets cannot be read
     */
    public static List<Long> processes() throws IOException {
        String prefix = SidebandName.processPrefix(Linux.uid());
        List<Long> pids = new ArrayList<>();
        for (String name : PublishedNames.all()) {
            if (name.startsWith(prefix)) {
                try {
                    pids.add(Long.parseLong(name.substring(prefix.length())));
                } catch (NumberFormatException e) {
                    // Anybody can bind such a name; it is none of ours.
                    continue;
                }
            }
        }
        Collections.sort(pids);
        return pids;
    }

    /**
     * Connects to a process and asks.
     *
     * @return null if the process is not there (any more)
     * @throws IOException if it cannot be asked; the message says why and continues "process 1 ..."
     */
    public static SidebandQuery open(long pid, Topic topic) throws IOException {
        SidebandClient client = SidebandClient.connect(SidebandName.process(Linux.uid(), pid));
        if (client == null) {
            return null;
        }
        try {
            if (client.peer().uid() != Linux.uid()) {
                throw new IOException("is not of this user but of " + Integer.toUnsignedString(client.peer().uid()));
            }
            client.send(Envelope.withoutConnection(Envelope.Type.STATUS, topic.encode()));
            return new SidebandQuery(client);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Waits for the whole answer.
     *
     * @param deadline in terms of System.nanoTime
     * @throws IOException if it does not come in time; the message says why and continues "process 1 ..."
     */
    public List<String> lines(long deadline) throws IOException {
        List<String> lines = new ArrayList<>();
        while (true) {
            Envelope envelope = client.receive(deadline);
            if (envelope.type() == Envelope.Type.REPORT && !Reports.addLines(envelope, lines)) {
                return lines;
            }
        }
    }

    /** The numeric id of the process's user, unsigned. */
    public int uid() {
        return client.peer().uid();
    }

    @Override
    public void close() {
        client.close();
    }
}
