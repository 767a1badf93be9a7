package org.smc4j.agent.jmx;

import java.util.List;

/** What a JVM with the agent shows and lets be changed by JMX; the names are those of smc-tools. */
public interface SmcMXBean {
    /** Connections since the start, opened and accepted. */
    long getTotalConnections();

    /** Connections that this JVM opened. */
    long getClientConnections();

    /** Connections that this JVM accepted. */
    long getServerConnections();

    /** Connections that reached SMC-D. */
    long getSmcdConnections();

    /** Connections that are or were TCP to their end, or whose handshake has not ended yet. */
    long getTcpConnections();

    /** Connections that are open now. */
    long getOpenConnections();

    /** Bytes sent over SMC. */
    long getTxBytes();

    /** Bytes received over SMC. */
    long getRxBytes();

    /** Connections whose handshake ended on TCP, by reason. */
    List<FallbackReason> getFallbackReasons();

    /** The listeners and the open connections, as {@code ss -a} shows them. */
    List<SocketRow> getSockets();

    /** All settings. */
    List<TunableRow> getTunables();

    /**
     * Changes a setting for the connections that begin from now on.
     *
     * @throws IllegalArgumentException if there is no such setting, it cannot change at run time, or this is no value
     * for it
     */
    void setTunable(String name, String value);

    /** The line that {@code smc.summary} gives at the end. */
    String summary();

    /**
     * @param code  of the kernel, as {@code 0x03010000}
     * @param words its meaning, empty for an unknown code
     * @param count connections with this reason
     */
    record FallbackReason(String code, String words, long count) {
    }

    /**
     * @param state         as smcss names it
     * @param role          CLIENT, SERVER or LISTENER
     * @param localAddress  numeric address and port
     * @param peerAddress   numeric address and port, {@code *} for a listener
     * @param mode          SMCD or TCP, empty for a listener
     * @param reason        code and words of the reason for TCP, empty if there is none (yet)
     * @param txBytes       bytes sent over SMC
     * @param rxBytes       bytes received over SMC
     * @param tcpTxBytes    bytes sent over TCP
     * @param tcpRxBytes    bytes received over TCP
     */
    record SocketRow(String state, String role, String localAddress, String peerAddress, String mode, String reason,
            long txBytes, long rxBytes, long tcpTxBytes, long tcpRxBytes) {
    }

    /**
     * @param name             key of the setting
     * @param value            as it is now
     * @param source           where the value came from: property, argument, environment, file, default or run time
     * @param defaultValue     as it is without configuration
     * @param changesAtRunTime whether {@link #setTunable} takes it
     * @param doc              what it does
     */
    record TunableRow(String name, String value, String source, String defaultValue, boolean changesAtRunTime,
            String doc) {
    }
}
