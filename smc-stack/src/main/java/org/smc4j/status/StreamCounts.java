package org.smc4j.status;

/**
 * What went over SMC, by one connection or by many, in the words of {@code smcr stats} and {@code smcd stats}.
 *
 * @param txBytes    that the application sent
 * @param rxBytes    that it received
 * @param txCalls    calls that sent at least one byte
 * @param rxCalls    calls that received at least one byte
 * @param txFull     calls that found no space in the send buffer; SMC-D has none
 * @param txFullPeer calls that found no space at the peer, either
 * @param rxFull     calls that found the receive buffer full
 */
public record StreamCounts(long txBytes, long rxBytes, long txCalls, long rxCalls, long txFull, long txFullPeer, long rxFull) {
    public static final StreamCounts ZERO = new StreamCounts(0, 0, 0, 0, 0, 0, 0);

    public StreamCounts plus(StreamCounts more) {
        return new StreamCounts(txBytes + more.txBytes, rxBytes + more.rxBytes, txCalls + more.txCalls, rxCalls + more.rxCalls,
                txFull + more.txFull, txFullPeer + more.txFullPeer, rxFull + more.rxFull);
    }
}
