package org.smc4j.diag;

/**
 * What carries a connection's bytes. The values are those of the kernel's socket diagnosis (spec page 70, section 5).
 */
public enum SmcMode {
    /** RDMA. */
    SMCR(0),
    /** Plain TCP; the reason is a {@link ReasonCode}. */
    TCP(1),
    /** Shared memory. */
    SMCD(2);

    private final int diagValue;

    SmcMode(int diagValue) {
        this.diagValue = diagValue;
    }

    /** The mode byte of the kernel's diagnosis, 0 to 2. */
    public int diagValue() {
        return diagValue;
    }
}
