package org.smc4j.linkgroup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.Vectors;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.AddLinkContinue;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.LlcException;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RkeyOnNewLink;

/** A captured conversation, and what one of its sides must have had in its devices to say what it said. */
final class Capture {
    /**
     * One CLC or LLC message; the other of the two is null.
     *
     * @param number of the message in its file; negative for all but the last file of a conversation
     * @param from   GID of the port that sent it
     * @param to     the queue pair that it went to; 0 for CLC
     */
    record Entry(int number, boolean ofClient, Gid from, int to, byte[] bytes, ClcMessage clc, LlcMessage llc) {
        /** The same in a conversation that goes on with another file. */
        Entry before() {
            return new Entry(-number, ofClient, from, to, bytes, clc, llc);
        }

        @Override
        public String toString() {
            return "[" + number + "] " + (clc == null ? llc : clc);
        }
    }

    /** A link that the side opened, with what its device gave to it: registrations of RMBs in their order. */
    static final class Opened {
        final Gid gid;
        final int queuePair;
        final int initialPsn;
        final Deque<Rtoken> rtokens = new ArrayDeque<>();
        private final List<Rtoken> all = new ArrayList<>();
        private final int id;
        private final int peerQueuePair;

        private Opened(Gid gid, int queuePair, int initialPsn, int id, int peerQueuePair) {
            this.gid = gid;
            this.queuePair = queuePair;
            this.initialPsn = initialPsn;
            this.id = id;
            this.peerQueuePair = peerQueuePair;
        }

        private void add(int rkey, long address) {
            Rtoken rtoken = new Rtoken(rkey, address);
            if (!all.contains(rtoken)) {
                all.add(rtoken);
                rtokens.add(rtoken);
            }
        }
    }

    /** Of all files. */
    private static final List<Vectors.Message> ALL = Stream.of("clc", "llc").map(Vectors::ofKind).flatMap(List::stream).toList();

    private final List<Entry> entries = new ArrayList<>();

    /** Reads messages {@code first} to {@code last} of a file. */
    Capture read(String file, int first, int last) {
        List<Vectors.Message> messages = new ArrayList<>(ALL);
        messages.removeIf(message -> !message.id().startsWith(file + " "));
        messages.sort(Comparator.comparingInt(Capture::number));
        entries.replaceAll(Entry::before);
        for (Vectors.Message message : messages) {
            if (number(message) >= first && number(message) <= last) {
                entries.add(entry(message));
            }
        }
        return this;
    }

    List<Entry> entries() {
        return entries;
    }

    private static int number(Vectors.Message message) {
        String id = message.id();
        return Integer.parseInt(id.substring(id.indexOf('[') + 1, id.indexOf(']')));
    }

    private static Entry entry(Vectors.Message message) {
        Map<String, String> headers = message.headers();
        String[] from = headers.get("from").split(" ");
        String to = headers.getOrDefault("to", "qp 0x0");
        byte[] bytes = message.bytes();
        boolean isClc = headers.get("kind").equals("clc");
        try {
            ClcMessage clc = isClc ? ClcCodec.decode(bytes, 0, bytes.length) : null;
            LlcMessage llc = isClc ? null : LlcCodec.decode(bytes, 0, bytes.length);
            int queuePair = Integer.decode(to.substring("qp ".length()));
            return new Entry(number(message), from[0].equals("client"), gid(from[1]), queuePair, bytes, clc, llc);
        } catch (ClcException | LlcException e) {
            throw new IllegalStateException(message.id(), e);
        }
    }

    /** The IPv4-mapped GID that all ports of the captures have. */
    static Gid gid(String address) {
        long low = 0xFFFF;
        for (String part : address.split("\\.")) {
            low = low << 8 | Integer.parseInt(part);
        }
        return new Gid(0, low);
    }

    /** The MACs of a side's ports. */
    Map<Gid, Mac> ports(boolean ofClient) {
        Map<Gid, Mac> ports = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (entry.ofClient() == ofClient && entry.clc() instanceof ClcAcceptConfirmR message) {
                ports.putIfAbsent(message.gid(), message.mac());
            } else if (entry.ofClient() == ofClient && entry.llc() instanceof AddLink add && !add.rejected()) {
                ports.putIfAbsent(add.gid(), add.mac());
            }
        }
        return ports;
    }

    /** The size of a side's RMBs. */
    int sizeCode(boolean ofClient) {
        for (Entry entry : entries) {
            if (entry.ofClient() == ofClient && entry.clc() instanceof ClcAcceptConfirmR message) {
                return message.sizeCode();
            }
        }
        throw new IllegalStateException("no Accept or Confirm");
    }

    /** The links that a side opened, in order. */
    List<Opened> links(boolean ofClient) {
        List<Opened> links = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.ofClient() != ofClient) {
                continue;
            }
            if (entry.clc() instanceof ClcAcceptConfirmR message) {
                learn(message, links);
            } else if (entry.llc() != null) {
                learn(entry, links);
            }
        }
        return links;
    }

    private void learn(ClcAcceptConfirmR message, List<Opened> links) {
        if (message.firstContact()) {
            int peer = peerOfFirstContact(message.type());
            links.add(new Opened(message.gid(), message.qpNumber(), message.initialPsn(), 1, peer));
        }
        for (Opened link : links.reversed()) {
            if (link.gid.equals(message.gid()) && link.queuePair == message.qpNumber()) {
                link.add(message.rkey(), message.rmbAddress());
                return;
            }
        }
    }

    private int peerOfFirstContact(ClcType type) {
        for (Entry entry : entries) {
            if (entry.clc() instanceof ClcAcceptConfirmR message && message.firstContact() && message.type() != type) {
                return message.qpNumber();
            }
        }
        throw new IllegalStateException("no first contact");
    }

    private void learn(Entry entry, List<Opened> links) {
        switch (entry.llc()) {
            case AddLink add when !add.rejected() && add.mtuCode() != 0 -> {
                Opened link = new Opened(add.gid(), add.qpNumber(), add.initialPsn(), add.linkNumber(), peerOf(add));
                links.add(link);
                if (add.extension() != null) {
                    learn(add.extension().rkeys(), link);
                }
            }
            case AddLinkContinue more -> learn(more.rkeys(), links.getLast());
            case ConfirmRkey confirm when !confirm.response() -> {
                carrier(entry, links).add(confirm.rkey(), confirm.address());
                for (ConfirmRkey.RkeyOnLink other : confirm.additional()) {
                    for (Opened link : links) {
                        if (link.id == other.linkNumber()) {
                            link.add(other.rkey(), other.address());
                        }
                    }
                }
            }
            default -> {
            }
        }
    }

    private static void learn(List<RkeyOnNewLink> rkeys, Opened link) {
        for (RkeyOnNewLink rkey : rkeys) {
            link.add(rkey.newRkey(), rkey.newAddress());
        }
    }

    /** The peer's queue pair of a link that was added; 0 if the peer refused. */
    private int peerOf(AddLink own) {
        for (Entry entry : entries) {
            if (entry.llc() instanceof AddLink add && add.response() != own.response() && !add.rejected()
                    && add.linkNumber() == own.linkNumber()) {
                return add.qpNumber();
            }
        }
        return 0;
    }

    private static Opened carrier(Entry entry, List<Opened> links) {
        for (Opened link : links.reversed()) {
            if (link.gid.equals(entry.from()) && link.peerQueuePair == entry.to()) {
                return link;
            }
        }
        throw new IllegalStateException("no link for " + entry);
    }
}
