package org.smc4j.bench;

/** How a measured JVM is started. */
enum Mode {
    /** Without the agent. */
    PLAIN,
    /** With the agent as it comes. */
    AGENT,
    /** With the agent and 50 microseconds of busy polling. */
    AGENT_POLL
}
