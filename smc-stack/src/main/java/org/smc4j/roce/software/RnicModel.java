package org.smc4j.roce.software;

/**
 * How fast a simulated RNIC is, and what it can hold. All times in ns, 0 and more.
 *
 * @param latency        from the moment when the last bit of a packet leaves until the peer NIC has placed it and its completion
 *                       begins; as long again until the acknowledgement is back
 * @param jitter         added to the latency by chance, 0 up to this; packets stay in order
 * @param messageIssue   that the NIC needs for each request before the next one, the inverse of its message rate
 * @param doorbell       between two doorbells (one for each post) that the NIC takes
 * @param bytesPerSecond of each port; 0 is without limit
 * @param completion     from the moment when a request is done until its completion can be polled
 * @param maxInline      bytes
 * @param maxRequests    of a send queue, and of a receive queue
 * @param ackTimeout     without an acknowledgement until packets are sent again
 * @param retries        of that, without progress, until {@link org.smc4j.roce.Completions#RETRY_EXCEEDED}
 * @param rnrTimer       until a message is sent again for which no receive was posted
 * @param rnrRetries     of that until {@link org.smc4j.roce.Completions#RNR_RETRY_EXCEEDED}; {@link #FOR_EVER} is without end
 */
public record RnicModel(long latency, long jitter, long messageIssue, long doorbell, long bytesPerSecond, long completion,
                        int maxInline, int maxRequests, long ackTimeout, int retries, long rnrTimer, int rnrRetries) {
    /** As in verbs. */
    public static final int FOR_EVER = 7;
    /** The queue pair attributes of SMC-R (spec/40-buffers-linkgroups.md §9): timeout 15, that is 4.096 µs × 2<sup>15</sup>. */
    private static final long SMC_ACK_TIMEOUT = 4_096L << 15;
    private static final int SMC_RETRIES = 7;
    /** The minimum RNR timer 5 stands for 0.06 ms. */
    private static final long SMC_RNR_TIMER = 60_000;

    /** Everything takes no time but the way, which takes a microsecond: for tests of what is above. */
    public static final RnicModel PLAIN = new RnicModel(1_000, 0, 0, 0, 0, 0, 220, 16_384, SMC_ACK_TIMEOUT, SMC_RETRIES,
            SMC_RNR_TIMER, FOR_EVER);

    /**
     * Of the class of a ConnectX-4 Lx with 25 Gb/s. Its product brief says 75 million messages per second and less than a
     * microsecond of latency, which are best cases; set are 40 million requests per second (25 ns each) and 0.9 µs. The 250 ns of
     * a doorbell stand for the write across PCIe 3.0 and the NIC's read of the work queue entry that follows it (what PCIe
     * transactions cost: Kalia et al., "Design Guidelines for High Performance RDMA Systems", USENIX ATC 2016); they bound
     * requests that are posted one by one to 4 million per second. A completion takes 1 µs until the processor sees it. Inline
     * are the 220 bytes that perftest asks for on such NICs. These are estimates of a class, not measurements of a card.
     */
    public static final RnicModel CONNECTX_4_LX = new RnicModel(900, 0, 25, 250, 3_125_000_000L, 1_000, 220, 16_384,
            SMC_ACK_TIMEOUT, SMC_RETRIES, SMC_RNR_TIMER, FOR_EVER);

    public RnicModel {
        boolean possible = latency >= 0 && jitter >= 0 && messageIssue >= 0 && doorbell >= 0 && bytesPerSecond >= 0
                && completion >= 0 && maxInline >= 0 && maxRequests > 0 && ackTimeout > 0 && retries >= 0 && rnrTimer > 0
                && rnrRetries >= 0;
        if (!possible) {
            throw new IllegalArgumentException("no RNIC is like that");
        }
    }

    public RnicModel withLatency(long nanos, long jitterNanos) {
        return new RnicModel(nanos, jitterNanos, messageIssue, doorbell, bytesPerSecond, completion, maxInline, maxRequests,
                ackTimeout, retries, rnrTimer, rnrRetries);
    }

    public RnicModel withMessageCosts(long issueNanos, long doorbellNanos, long completionNanos) {
        return new RnicModel(latency, jitter, issueNanos, doorbellNanos, bytesPerSecond, completionNanos, maxInline, maxRequests,
                ackTimeout, retries, rnrTimer, rnrRetries);
    }

    public RnicModel withBandwidth(long newBytesPerSecond) {
        return new RnicModel(latency, jitter, messageIssue, doorbell, newBytesPerSecond, completion, maxInline, maxRequests,
                ackTimeout, retries, rnrTimer, rnrRetries);
    }

    public RnicModel withRetries(long ackTimeoutNanos, int newRetries, int newRnrRetries) {
        return new RnicModel(latency, jitter, messageIssue, doorbell, bytesPerSecond, completion, maxInline, maxRequests,
                ackTimeoutNanos, newRetries, rnrTimer, newRnrRetries);
    }

    /** How long a packet of so many bytes, headers included, occupies a port. */
    long serialization(int bytes) {
        return bytesPerSecond == 0 ? 0 : bytes * 1_000_000_000L / bytesPerSecond;
    }
}
