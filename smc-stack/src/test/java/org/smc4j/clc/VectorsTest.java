package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No captured message is lost between the files and the tests that look at one kind each. */
@Timeout(10)
class VectorsTest {
    @Test
    void shouldFindEveryMessageWhenFilesAreRead() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Vectors.Message message : Vectors.all()) {
            counts.merge(message.headers().get("kind"), 1, Integer::sum);
        }
        assertEquals(Map.of("cdc", 144, "cdc-d", 30, "clc", 142, "llc", 165, "tcpopt", 4, "write", 73), counts);
        assertEquals(558, counts.values().stream().mapToInt(Integer::intValue).sum());
        int numbered = 0;
        for (Path file : Vectors.files()) {
            numbered += (int) Files.readAllLines(file).stream().filter(line -> line.matches("\\[\\d+]")).count();
        }
        assertEquals(558, numbered);
    }

    @Test
    void shouldHaveFieldsForEveryByteWhenMessageIsRead() {
        for (Vectors.Message message : Vectors.all()) {
            assertFalse(message.fields().isEmpty(), message.id());
            int at = 0;
            for (Vectors.Field field : message.fields()) {
                assertEquals(at, field.offset(), message.id() + " " + field.name());
                at += field.hex().length() / 2;
            }
            assertEquals(message.bytes().length, at, message.id());
        }
    }
}
