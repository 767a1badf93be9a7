package org.smc4j.clc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The captured messages under {@code src/test/resources/vectors}; their README describes the format. */
public final class Vectors {
    private Vectors() {
    }

    /**
     * One message of a vector file.
     *
     * @param id      file and number
     * @param headers the lines "kind", "from", "is" …
     * @param fields  the rows as printed
     */
    public record Message(String id, Map<String, String> headers, byte[] bytes, List<Field> fields) {
        @Override
        public String toString() {
            return id + " " + headers.get("is");
        }
    }

    /** One printed row; hex without abbreviations. */
    public record Field(int offset, String hex, String name, String meaning) {
    }

    /** All messages of one kind, in the order of the file names. */
    public static List<Message> ofKind(String kind) {
        return all().stream().filter(message -> kind.equals(message.headers().get("kind"))).toList();
    }

    /** All messages, in the order of the file names. */
    public static List<Message> all() {
        List<Message> messages = new ArrayList<>();
        for (Path file : files()) {
            try {
                messages.addAll(parse(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return messages;
    }

    /** The files with messages. */
    static List<Path> files() {
        URL readme = Vectors.class.getResource("/vectors/README.md");
        try (Stream<Path> files = Files.list(Path.of(readme.toURI()).getParent())) {
            return files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Message> parse(Path file) throws IOException {
        List<Message> messages = new ArrayList<>();
        List<String> lines = null;
        for (String line : Files.readAllLines(file)) {
            if (line.matches("\\[\\d+]")) {
                lines = new ArrayList<>();
                lines.add(line);
            } else if (lines != null && (line.isEmpty() || line.startsWith("#"))) {
                messages.add(message(file, lines));
                lines = null;
            } else if (lines != null) {
                lines.add(line);
            }
        }
        if (lines != null) {
            messages.add(message(file, lines));
        }
        return messages;
    }

    private static Message message(Path file, List<String> lines) {
        Map<String, String> headers = new TreeMap<>();
        StringBuilder hex = new StringBuilder();
        List<Field> fields = new ArrayList<>();
        boolean inFields = false;
        for (String line : lines.subList(1, lines.size())) {
            if (line.equals("fields:")) {
                inFields = true;
            } else if (inFields) {
                addField(fields, line);
            } else if (line.startsWith("  ")) {
                hex.append(line.strip());
            } else if (!line.equals("hex:")) {
                int colon = line.indexOf(": ");
                headers.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        return new Message(file.getFileName() + " " + lines.getFirst(), headers, HexFormat.of().parseHex(hex), fields);
    }

    /**
     * Columns: offset 0-5, size 7-9, bytes 12-43, name 46-73, meaning from 75; long fields go on in the next line's
     * bytes.
     */
    private static void addField(List<Field> fields, String line) {
        if (line.isBlank()) {
            return;
        }
        if (line.substring(0, Math.min(12, line.length())).isBlank()) {
            Field last = fields.removeLast();
            fields.add(new Field(last.offset(), last.hex() + line.strip(), last.name(), last.meaning()));
            return;
        }
        String hex = column(line, 12, 44);
        if (hex.startsWith("00*")) {
            hex = "00".repeat(Integer.parseInt(hex.substring(3)));
        }
        int offset = Integer.parseInt(column(line, 0, 6));
        fields.add(new Field(offset, hex, column(line, 46, 74), column(line, 75, line.length())));
    }

    private static String column(String line, int from, int to) {
        return from >= line.length() ? "" : line.substring(from, Math.min(to, line.length())).strip();
    }
}
