package org.smc4j.status;

import org.smc4j.diag.SmcMode;
import org.smc4j.diag.SmcState;

/**
 * One socket at one moment.
 *
 * @param state       as smcss names it
 * @param role        which end of the connection this is
 * @param local       numeric address and port
 * @param peer        numeric address and port, {@code *} for a listener
 * @param mode        what carries the bytes; null for a listener
 * @param reasonCode  why the mode is TCP (see {@link org.smc4j.diag.ReasonCode}); 0 if that is not so, or not decided
 * @param smcSent     bytes that the application sent over SMC
 * @param smcReceived bytes that it received over SMC
 * @param tcpSent     bytes that it sent over TCP, before a switch or without one
 * @param tcpReceived bytes that it received over TCP
 * @param linkGroup   of SMC-R: id of the link group
 * @param link        of SMC-R: number of the link in the group
 * @param device      of SMC-R: RNIC; empty for others
 * @param port        of SMC-R: port of the RNIC
 */
public record SocketStatus(SmcState state, Role role, String local, String peer, SmcMode mode, int reasonCode,
        long smcSent, long smcReceived, long tcpSent, long tcpReceived, int linkGroup, int link, String device, int port) {
    /** Which end of a connection a socket is. */
    public enum Role {
        CLIENT, SERVER, LISTENER
    }

    /** One line of tab-separated fields in the order of the components. */
    public String encode() {
        return RecordLine.encode(this);
    }

    /** @throws IllegalArgumentException if the line is none of {@link #encode} */
    public static SocketStatus decode(String line) {
        SocketStatus socket = RecordLine.decode(SocketStatus.class, line);
        if (socket.state == null || socket.role == null) {
            throw new IllegalArgumentException("not the line of a socket: '" + line + "'");
        }
        return socket;
    }
}
