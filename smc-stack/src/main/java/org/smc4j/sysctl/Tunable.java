package org.smc4j.sysctl;

/**
 * The settings: one declaration each. The key is the name of the system property, of the agent argument and of the line
 * in the configuration file; the environment variable is the key in upper case with '.' and '-' replaced by '_'.
 */
public enum Tunable {
    WMEM("net.smc.wmem", Kind.BYTES, "65536", 16384, 1073741823, Change.AT_START,
            "send buffer of a connection; without effect on SMC-D, where the peer's receive buffer is written directly"),
    // The kernel's default is 65536. A 64-KiB message does not fit into that by the 32 bytes of the header, so every one of them
    // makes its writer wait: 64-KiB stream 1.3 instead of 2.5 GB/s and more. From 256 KiB on it gains nothing for sure.
    RMEM("net.smc.rmem", Kind.BYTES, "262144", 16384, 1073741823, Change.AT_START,
            "receive buffer of a connection, rounded up to 2^n from 16 KiB to 1 MiB, with SMC-R to 512 MiB"),
    AUTOCORKING_SIZE("net.smc.autocorking_size", Kind.BYTES, "65536", 0, 4294967295L, Change.AT_START,
            "most bytes that a connection holds back to send small writes together; 0 turns autocorking off"),
    LIMIT_SMC_HS("net.smc.limit_smc_hs", Kind.FLAG, "false", 0, 1, Change.AT_RUN_TIME,
            "limit handshakes under load: a connection stays TCP when too many handshakes are already waiting"),
    SMCR_TESTLINK_TIME("net.smc.smcr_testlink_time", Kind.SECONDS, "30", 0, 2147483647, Change.AT_START,
            "after so long without a message over a link of SMC-R its peer is asked (TEST LINK) whether it still answers; 0: never"),
    SMCR_MAX_LINKS_PER_LGR("net.smc.smcr_max_links_per_lgr", Kind.COUNT, "2", 1, 2, Change.AT_RUN_TIME,
            "most links of a link group of SMC-R; the smaller of both ends' counts, in link groups that are new"),
    SMCR_MAX_CONNS_PER_LGR("net.smc.smcr_max_conns_per_lgr", Kind.COUNT, "255", 16, 255, Change.AT_RUN_TIME,
            "most connections of a link group of SMC-R; the smaller of both ends' counts, in link groups that are new"),
    SMCR_MAX_SEND_WR("net.smc.smcr_max_send_wr", Kind.COUNT, "16", 2, 2048, Change.AT_START,
            "messages that a link of SMC-R can have under way, of all its connections together"),
    SMCR_MAX_RECV_WR("net.smc.smcr_max_recv_wr", Kind.COUNT, "48", 2, 2048, Change.AT_START,
            "receive buffers for the messages of a link of SMC-R"),
    ENABLED("smc.enabled", Kind.FLAG, "true", 0, 1, Change.AT_RUN_TIME,
            "use SMC at all; false leaves every new connection on TCP"),
    BUSY_POLL_US("smc.busy_poll_us", Kind.MICROS, "0", 0, 1000, Change.AT_RUN_TIME,
            "how long a thread polls shared memory before it sleeps; 0: it looks for 30 µs, yielding in between, where that pays"),
    SWITCH_AFTER_BYTES("smc.switch_after_bytes", Kind.BYTES, "131072", 0, Long.MAX_VALUE, Change.AT_RUN_TIME,
            "the client end proposes SMC after a connection moved this many bytes over TCP; 0 at once"),
    SWITCH_WAIT_MS("smc.switch_wait_ms", Kind.MILLIS, "0", 0, 60000, Change.AT_RUN_TIME,
            "how long the first transfers of a connection may wait for the handshake; 0: never wait"),
    HANDSHAKE_TIMEOUT_MS("smc.handshake_timeout_ms", Kind.MILLIS, "6000", 10, 60000, Change.AT_RUN_TIME,
            "how long a handshake may take before the connection stays TCP"),
    PENDING_HANDSHAKES("smc.pending_handshakes", Kind.COUNT, "1024", 1, 65536, Change.AT_START,
            "most proposals that wait for their TCP connection to be accepted"),
    UEID("smc.ueid", Kind.TEXT, "", 0, 0, Change.AT_START,
            "up to 4 user-defined EIDs, separated by commas or spaces, that replace the built-in one; only ends with an"
                    + " EID in common use SMC. 1 to 32 of A-Z 0-9 . - each, the first a letter or digit"),
    PEER_UIDS("smc.peer_uids", Kind.TEXT, "", 0, 0, Change.AT_START,
            "numeric user ids, separated by commas or spaces, whose processes are accepted as peers beside those of the"
                    + " own user"),
    SIDEBAND_PORT("smc.sideband.port", Kind.COUNT, "0", 0, 65535, Change.AT_START,
            "TCP port on which hosts find each other's processes, the same on all hosts; 0: only peers on this host are found"),
    SIDEBAND_BIND("smc.sideband.bind", Kind.TEXT, "", 0, 0, Change.AT_START,
            "numeric address that the sideband port is bound to; empty: all addresses of the host"),
    SIDEBAND_PEERS("smc.sideband.peers", Kind.RULES, "", 0, 0, Change.AT_START,
            "which hosts are asked and answered on the sideband port, by their address and that port"),
    SIDEBAND_SECRET_FILE("smc.sideband.secret_file", Kind.TEXT, "", 0, 0, Change.AT_START,
            "file with a secret of 16 bytes or more that hosts prove to each other, with a mode as for keys of ssh; empty: who a"
                    + " host is, its address says"),
    SIDEBAND_RETRY_MS("smc.sideband.retry_ms", Kind.MILLIS, "60000", 100, 3600000, Change.AT_START,
            "how long a host that did not answer on the sideband port is left alone; after a refusal at most 5000 ms"),
    OVERFLOW("smc.overflow", Kind.FLAG, "true", 0, 1, Change.AT_RUN_TIME,
            "take up to 4 MiB more than the ring holds when its reader takes nothing for 20 ms, as TCP's buffers would"),
    RNIC("smc.rnic", Kind.TEXT, "", 0, 0, Change.AT_START,
            "network interfaces of one physical network, separated by commas or spaces, over which a software RNIC carries SMC-R to"
                    + " other hosts; with smc.sideband.port only"),
    CONNECT("smc.connect", Kind.RULES, "", 0, 0, Change.AT_START,
            "which connections this side opened may use SMC, by the address and port they go to"),
    ACCEPT("smc.accept", Kind.RULES, "", 0, 0, Change.AT_START,
            "which connections this side accepted may use SMC, by the client's address and the listener's port"),
    LOG("smc.log", Kind.TEXT, "warn", 0, 0, Change.AT_RUN_TIME,
            "what is logged: off, error, warn, info or debug"),
    SUMMARY("smc.summary", Kind.TEXT, "off", 0, 0, Change.AT_START,
            "where a summary goes when the JVM ends: off, stderr, or a file to append to"),
    NETTY_NATIVE("smc.netty_native", Kind.FLAG, "false", 0, 1, Change.AT_START,
            "true leaves Netty's native transports alone; their connections stay TCP"),
    CONFIGURATION_FILE("smc.configuration_file", Kind.TEXT, "", 0, 0, Change.AT_START,
            "file with one key=value a line; lines that start with # are comments");

    private enum Change { AT_START, AT_RUN_TIME }

    // values() copies its array on each call.
    private static final Tunable[] ALL = values();

    private final String key;
    private final String environmentVariable;
    private final Kind kind;
    private final String defaultText;
    private final long minimum;
    private final long maximum;
    private final Change change;
    private final String doc;

    Tunable(String key, Kind kind, String defaultText, long minimum, long maximum, Change change, String doc) {
        this.key = key;
        this.environmentVariable = environmentVariable(key);
        this.kind = kind;
        this.defaultText = defaultText;
        this.minimum = minimum;
        this.maximum = maximum;
        this.change = change;
        this.doc = doc;
    }

    /** The name of the setting, for example {@code smc.enabled}. */
    public String key() {
        return key;
    }

    /** The name of the environment variable, for example {@code SMC_ENABLED}. */
    public String environmentVariable() {
        return environmentVariable;
    }

    public Kind kind() {
        return kind;
    }

    /** The default as {@link Sysctl#text} shows it. */
    public String defaultText() {
        return defaultText;
    }

    /** The smallest number allowed, in the unit of the kind; 0 for text and rules. */
    public long minimum() {
        return minimum;
    }

    /** The largest number allowed, in the unit of the kind; 0 for text and rules. */
    public long maximum() {
        return maximum;
    }

    /** Whether {@link Sysctl#set} accepts the setting; a change concerns connections that begin after it. */
    public boolean changesAtRunTime() {
        return change == Change.AT_RUN_TIME;
    }

    /** One line that says what the setting does. */
    public String doc() {
        return doc;
    }

    /** The setting with that key, or null if there is none. */
    public static Tunable named(String key) {
        for (final Tunable tunable : ALL) {
            if (tunable.key.equals(key)) {
                return tunable;
            }
        }
        return null;
    }

    /** The table of all settings for the README, in the order of declaration, each line ended by a newline. */
    public static String markdownTable() {
        final StringBuilder table = new StringBuilder(4096);
        table.append("| Setting | Default | Values | Changes at run time | Meaning |\n");
        table.append("|---|---|---|---|---|\n");
        for (final Tunable tunable : ALL) {
            table.append("| `").append(tunable.key).append("` | ");
            if (!tunable.defaultText.isEmpty()) {
                table.append('`').append(tunable.defaultText).append('`');
            }
            table.append(" | ").append(tunable.range());
            table.append(" | ").append(tunable.changesAtRunTime() ? "yes" : "no");
            table.append(" | ").append(tunable.doc).append(" |\n");
        }
        return table.toString();
    }

    String range() {
        if (kind == Kind.FLAG) {
            return "true, false";
        }
        if (kind == Kind.TEXT) {
            return "text";
        }
        return kind == Kind.RULES ? "rules" : minimum + " to " + maximum + kind.unit();
    }

    static Tunable withEnvironmentVariable(String name) {
        for (final Tunable tunable : ALL) {
            if (tunable.environmentVariable.equals(name)) {
                return tunable;
            }
        }
        return null;
    }

    static int count() {
        return ALL.length;
    }

    static Tunable at(int ordinal) {
        return ALL[ordinal];
    }

    private static String environmentVariable(String key) {
        // Not String.toUpperCase: in a Turkish locale it turns 'i' into something no shell accepts.
        final char[] name = key.toCharArray();
        for (int i = 0; i < name.length; i++) {
            final char c = name[i];
            if (c == '.' || c == '-') {
                name[i] = '_';
            } else if (c >= 'a' && c <= 'z') {
                name[i] = (char) (c - 'a' + 'A');
            }
        }
        return new String(name);
    }
}
