package org.smc4j.bench;

import java.util.List;

/** How a measured JVM is started. */
enum Mode {
    /** Without the agent. */
    PLAIN(List.of()),
    /** With the agent as it comes. */
    AGENT(List.of()),
    /** With the agent, and connections leave TCP with their first bytes: where there are too many to move much on each. */
    AGENT_AT_ONCE(List.of("-Dsmc.switch_after_bytes=0", "-Dsmc.switch_wait_ms=2000")),
    /** With the agent and 50 microseconds of busy polling. */
    AGENT_POLL(List.of("-Dsmc.busy_poll_us=50"));

    private final List<String> options;

    Mode(List<String> options) {
        this.options = options;
    }

    /** JVM options beside the agent itself. */
    List<String> options() {
        return options;
    }
}
