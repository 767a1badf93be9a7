package org.smc4j.roce;

/** Where the completions of many queue pairs arrive, in order for each of their queues. */
public interface CompletionQueue extends AutoCloseable {
    /**
     * Takes completions, oldest first, into {@code target}, which keeps what fits.
     *
     * @return their number, 0 if there are none
     */
    int poll(Completions target);

    /**
     * Asks for one event at the next completion that arrives after this call; callers poll once more afterwards.
     *
     * @param solicitedOnly only a message that was sent with {@link QueuePair#SOLICITED}, or an error, counts
     */
    void arm(boolean solicitedOnly);

    @Override
    void close();
}
