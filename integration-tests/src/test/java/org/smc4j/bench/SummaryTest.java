package org.smc4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class SummaryTest {
    @TempDir
    private Path folder;

    @Test
    void shouldAddUpWhenSeveralJvmsLeftLines() throws IOException {
        final Summary summary = new Summary();
        summary.add(Files.writeString(folder.resolve("1"),
            "smc4j pid=1 smcd=12 smcr=0 tcp=3 smc_tx_bytes=4 smc_rx_bytes=5 "
                + "tcp_fallback=0x03010000:2,0x03030000:1\n"));
        summary.add(Files.writeString(folder.resolve("2"),
            "smc4j pid=2 smcd=1 smcr=0 tcp=1 tcp_fallback=0x03010000:1\n"));
        summary.add(folder.resolve("absent"));
        assertEquals("SMC-D 13, SMC-R 0, TCP 4 (reason:connections 0x03010000:3 0x03030000:1); "
            + "1 of 3 JVMs left no summary", summary.text());
        assertEquals(4, summary.count("smc_tx_bytes"));
    }
}
