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
 */
public record SocketStatus(SmcState state, Role role, String local, String peer, SmcMode mode, int reasonCode,
        long smcSent, long smcReceived, long tcpSent, long tcpReceived) {
    private static final int FIELDS = 10;
    private static final String NONE = "-";

    /** Which end of a connection a socket is. */
    public enum Role {
        CLIENT, SERVER, LISTENER
    }

    /** One line of tab-separated fields in the order of the components. */
    public String encode() {
        return state.smcssName() + '\t' + role.name() + '\t' + local + '\t' + peer + '\t'
                + (mode == null ? NONE : mode.name()) + '\t' + Integer.toHexString(reasonCode) + '\t' + smcSent + '\t' + smcReceived + '\t' + tcpSent + '\t'
                + tcpReceived;
    }

    /** @throws IllegalArgumentException if the line is none of {@link #encode} */
    public static SocketStatus decode(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("not the line of a socket: '" + line + "'");
        }
        return new SocketStatus(state(fields[0]), Role.valueOf(fields[1]), fields[2], fields[3],
                fields[4].equals(NONE) ? null : SmcMode.valueOf(fields[4]), Integer.parseUnsignedInt(fields[5], 16),
                Long.parseLong(fields[6]), Long.parseLong(fields[7]), Long.parseLong(fields[8]),
                Long.parseLong(fields[9]));
    }

    private static SmcState state(String name) {
        for (SmcState state : SmcState.values()) {
            if (state.smcssName().equals(name)) {
                return state;
            }
        }
        throw new IllegalArgumentException("not a state: '" + name + "'");
    }
}
