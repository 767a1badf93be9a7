package org.smc4j.ffi.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PlainFileTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTellOwnerModeAndLength() throws IOException {
        Path file = directory.resolve("file");
        Files.writeString(file, "content");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        int fd = PlainFile.open(file.toString());
        try {
            assertEquals(new PlainFile.Status(true, Linux.uid(), 0640, 7), PlainFile.status(fd));
            byte[] bytes = new byte[10];
            assertEquals(7, PlainFile.read(fd, bytes, 1));
            assertEquals("\0content\0\0", new String(bytes, java.nio.charset.StandardCharsets.US_ASCII));
            assertEquals(0, PlainFile.read(fd, bytes, 0));
        } finally {
            Linux.close(fd);
        }
    }

    @Test
    void shouldTellWhatIsNoRegularFile() {
        int fd = PlainFile.open(directory.toString());
        try {
            assertFalse(PlainFile.status(fd).regular());
            assertTrue(PlainFile.read(fd, new byte[1], 0) < 0);
        } finally {
            Linux.close(fd);
        }
        assertNull(PlainFile.status(-1));
        assertEquals(-Errno.ENOENT, PlainFile.open(directory.resolve("missing").toString()));
    }

    @Test
    void shouldFillArraysWithDifferentBytes() {
        byte[] first = new byte[32];
        byte[] second = new byte[32];
        Linux.random(first);
        Linux.random(second);
        assertNotEquals(Arrays.toString(first), Arrays.toString(second));
        Linux.random(new byte[0]);
    }
}
