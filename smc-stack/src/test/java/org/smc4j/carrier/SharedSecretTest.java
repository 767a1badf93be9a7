package org.smc4j.carrier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.ffi.linux.Linux;

@Timeout(30)
class SharedSecretTest {
    private static final String TEXT = "sixteen bytes ok";
    @TempDir
    private Path directory;

    private Path file(byte[] content, String mode) throws IOException {
        Path file = directory.resolve("secret");
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private static String refusal(Path file) {
        return assertThrows(SharedSecret.UnusableException.class, () -> SharedSecret.load(file.toString())).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {TEXT, TEXT + "\n", TEXT + "\r\n"})
    void shouldTakeTheBytesWithoutTheLineEnd(String content) throws Exception {
        SharedSecret loaded = SharedSecret.load(file(content.getBytes(), "rw-------").toString());
        assertArrayEquals(new SharedSecret(TEXT.getBytes()).mac(new byte[] {1}), loaded.mac(new byte[] {1}));
    }

    /** The second test case of RFC 4231. */
    @Test
    void shouldMakeTheMacOfTheStandard() {
        byte[] mac = new SharedSecret("Jefe".getBytes()).mac("what do ya want ".getBytes(), "for nothing?".getBytes());
        assertArrayEquals(HexFormat.of().parseHex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"), mac);
    }

    @ParameterizedTest
    @CsvSource({"rw-r-----", "rw----r--", "rw--w----", "rw----rwx", "rw---x---"})
    void shouldRefuseAFileThatIsOpenToOthers(String mode) throws IOException {
        String refusal = refusal(file(TEXT.getBytes(), mode));
        assertTrue(refusal.contains("open to others"), refusal);
    }

    @Test
    void shouldRefuseTheFileOfAnotherUser() throws IOException {
        assumeTrue(Linux.uid() == 0, "only root can give files away");
        Path file = file(TEXT.getBytes(), "rw-------");
        Files.setAttribute(file, "unix:uid", 65534);
        String refusal = refusal(file);
        assertTrue(refusal.contains("belongs to user 65534"), refusal);
    }

    @Test
    void shouldRefuseWhatIsNoFile() throws Exception {
        assertTrue(refusal(directory).contains("no regular file"));
        assertTrue(refusal(directory.resolve("missing")).contains("cannot be opened"));
        Path fifo = directory.resolve("fifo");
        assumeTrue(new ProcessBuilder("mkfifo", "-m", "600", fifo.toString()).start().waitFor() == 0, "no mkfifo");
        assertTrue(refusal(fifo).contains("no regular file"));
    }

    @Test
    void shouldRefuseSecretsThatAreTooShortOrTooLong() throws IOException {
        assertTrue(refusal(file("fifteen bytes..\n".getBytes(), "rw-------")).contains("does not hold 16 to 4096 bytes"));
        assertTrue(refusal(file(new byte[0], "rw-------")).contains("does not hold"));
        assertTrue(refusal(file(new byte[4097], "rw-------")).contains("does not hold"));
        assertTrue(refusal(file(new byte[100_000], "rw-------")).contains("does not hold"));
    }

    @Test
    void shouldTakeTheLongestSecret() throws Exception {
        byte[] content = new byte[4098];
        content[4096] = '\r';
        content[4097] = '\n';
        SharedSecret.load(file(content, "r--------").toString());
    }
}
