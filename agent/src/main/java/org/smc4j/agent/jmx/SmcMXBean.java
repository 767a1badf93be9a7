package org.smc4j.agent.jmx;

import java.util.List;
import org.smc4j.status.DeviceStatus;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;
import org.smc4j.status.StreamCounts;

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

    /** Connections that reached SMC-R. */
    long getSmcrConnections();

    /** Connections that are or were TCP to their end, or whose handshake has not ended yet. */
    long getTcpConnections();

    /** Connections that are open now. */
    long getOpenConnections();

    /** Bytes sent over SMC. */
    long getTxBytes();

    /** Bytes received over SMC. */
    long getRxBytes();

    /** Bytes and calls over SMC-D, and how often buffers were full. */
    StreamCounts getSmcdTraffic();

    /** Bytes and calls over SMC-R, and how often buffers were full. */
    StreamCounts getSmcrTraffic();

    /**
     * The link groups of SMC-R and SMC-D.
     *
     * @throws IllegalStateException if the threads that know them do not answer within two seconds
     */
    List<LinkGroupStatus> getLinkGroups();

    /** The links of those of SMC-R; throws as {@link #getLinkGroups}. */
    List<LinkStatus> getLinks();

    /** The ports of RNICs and the ISM device; throws as {@link #getLinkGroups}. */
    List<DeviceStatus> getDevices();

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
     * @param mode          SMCD, SMCR or TCP, empty for a listener
     * @param reason        code and words of the reason for TCP, empty if there is none (yet)
     * @param txBytes       bytes sent over SMC
     * @param rxBytes       bytes received over SMC
     * @param tcpTxBytes    bytes sent over TCP
     * @param tcpRxBytes    bytes received over TCP
     * @param linkGroup     of SMC-R: id of the link group; else 0
     * @param link          of SMC-R: number of the link in the group; else 0
     * @param device        of SMC-R: RNIC; else empty
     * @param port          of SMC-R: port of the RNIC; else 0
     */
    record SocketRow(String state, String role, String localAddress, String peerAddress, String mode, String reason,
            long txBytes, long rxBytes, long tcpTxBytes, long tcpRxBytes, int linkGroup, int link, String device, int port) {
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
