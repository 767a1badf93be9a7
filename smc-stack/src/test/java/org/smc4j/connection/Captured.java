package org.smc4j.connection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcException;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.roce.RdmaWriteHeader;
import org.smc4j.wire.WireException;

/** What happened on the connections of a vector file: the calls of the two programs, and the messages between them, in order. */
final class Captured {
    private static final Pattern CALL = Pattern.compile("# (?:connection (\\d+), )?(client|server): (.+) = (-?\\d+)(?: .*)?");

    /** A call or a message. */
    sealed interface Event {
        boolean byClient();
    }

    /** @param connection the TCP port, 0 where there is only one */
    record Call(int connection, boolean byClient, String call, int result) implements Event {
    }

    /** Of kind cdc or write. */
    record Message(String id, boolean byClient, String kind, byte[] bytes, long ringAddress, int ringSize) implements Event {
        boolean isWrite() {
            return kind.equals("write");
        }

        CdcMessage cdc() throws CdcException {
            return CdcCodec.decode(bytes, 0, bytes.length);
        }

        /** The sender, and either all fields of a CDC message, or what an RDMA WRITE writes of its ring. */
        String describe() throws WireException {
            String from = byClient ? "client " : "server ";
            if (!isWrite()) {
                return from + cdc();
            }
            RdmaWriteHeader header = RdmaWriteHeader.decode(bytes, 0, bytes.length);
            return from + "WRITE " + header.length() + " at " + (header.remoteAddress() - ringAddress);
        }
    }

    /** One part of a file. */
    record Section(String file, String title, List<Event> events) {
        @Override
        public String toString() {
            return file + ": " + title;
        }
    }

    private Captured() {
    }

    /** The parts of a file in which data is moved. */
    static List<Section> sections(String file) {
        List<Section> sections = new ArrayList<>();
        List<String> message = null;
        String before = "";
        for (String line : lines(file)) {
            if (before.startsWith("# =====") && !line.startsWith("# =====") && line.startsWith("# ")) {
                sections.add(new Section(file, line.substring(2), new ArrayList<>()));
            }
            Matcher call = CALL.matcher(line);
            if (call.matches() && !sections.isEmpty()) {
                sections.getLast().events().add(new Call(call.group(1) == null ? 0 : Integer.parseInt(call.group(1)),
                        call.group(2).equals("client"), call.group(3), Integer.parseInt(call.group(4))));
            }
            if (line.matches("\\[\\d+]")) {
                message = new ArrayList<>();
            }
            if (message != null) {
                message.add(line);
                if (line.equals("fields:")) {
                    add(sections.getLast().events(), message);
                    message = null;
                }
            }
            before = line;
        }
        sections.removeIf(section -> section.events().isEmpty());
        return sections;
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(Captured.class.getResource("/vectors/" + file).toURI()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(List<Event> events, List<String> lines) {
        String kind = header(lines, "kind: ");
        if (!kind.equals("cdc") && !kind.equals("write")) {
            return;
        }
        StringBuilder hex = new StringBuilder();
        for (String line : lines) {
            if (line.startsWith("  ")) {
                hex.append(line.strip());
            }
        }
        long address = 0;
        int size = 0;
        if (kind.equals("write")) {
            String[] ring = header(lines, "rmb: ").split(" ");
            address = Long.parseUnsignedLong(ring[1].substring(2), 16);
            size = Integer.parseInt(ring[2]);
        }
        events.add(new Message(lines.getFirst(), header(lines, "from: ").startsWith("client"), kind, HexFormat.of().parseHex(hex),
                address, size));
    }

    private static String header(List<String> lines, String name) {
        for (String line : lines) {
            if (line.startsWith(name)) {
                return line.substring(name.length());
            }
        }
        throw new AssertionError(name + lines);
    }
}
