package org.smc4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Vectors;

/** A decoded message as rows named like those of the vector files, to be compared with what is printed there. */
public final class FieldRows {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Vectors.Field> rows = new ArrayList<>();

    public void add(String name, int size, long value, String meaning) {
        rows.add(new Vectors.Field(0, HEX.toHexDigits(value, 2 * size), name, meaning));
    }

    /** Without a meaning of its own: it is not compared. */
    public void add(String name, int size, long value) {
        add(name, size, value, null);
    }

    public void add(String name, Gid gid) {
        rows.add(new Vectors.Field(0, gid.toString(), name, null));
    }

    /** Whose meaning is the number. */
    public void number(String name, int size, long value) {
        add(name, size, value, Long.toString(value));
    }

    /** Whose meaning is the number in hexadecimal. */
    public void hex(String name, int size, long value) {
        add(name, size, value, "0x" + Long.toHexString(value & -1L >>> 64 - 8 * size));
    }

    /** 32 bytes, blank padded. */
    public void text(String name, String text) {
        StringBuilder hex = new StringBuilder();
        for (char c : text.toCharArray()) {
            hex.append(HEX.toHexDigits((byte) c));
        }
        String meaning = text.startsWith("\0") ? "''" : "'" + text + "'";
        rows.add(new Vectors.Field(0, hex + "20".repeat(32 - text.length()), name, meaning));
    }

    /** Every row is the printed one, and none is missing but those of these names, which the codec derives. */
    public void assertPrinted(Vectors.Message message, Set<String> structure) {
        List<Vectors.Field> printed = message.fields().stream().filter(f -> !structure.contains(f.name())).toList();
        for (int i = 0; i < Math.min(rows.size(), printed.size()); i++) {
            Vectors.Field expected = printed.get(i);
            String meaning = rows.get(i).meaning();
            assertEquals(expected.name(), rows.get(i).name(), "field " + i);
            assertEquals(expected.hex(), rows.get(i).hex(), expected.name());
            assertEquals(expected.meaning(), meaning == null ? expected.meaning() : meaning, expected.name());
        }
        assertEquals(printed.size(), rows.size(), "number of fields");
    }
}
