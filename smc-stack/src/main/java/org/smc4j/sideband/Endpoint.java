package org.smc4j.sideband;

import org.smc4j.stream.SmcStream;

/**
 * A connected TCP socket of this process that may be switched to SMC. The sideband calls these from its own thread; none of
 * them blocks for longer than the socket's own short critical sections.
 */
public interface Endpoint extends SmcStream.UrgentMode {
    int descriptor();

    /** False once the socket is closed or half closed: it is not worth a switch any more. */
    boolean isSwitchable();

    /** The peer has proposed SMC; the outcome follows. */
    void handshaking();

    /**
     * The receiving direction may leave TCP from now on, as soon as the peer says so.
     *
     * @return false if the socket was closed meanwhile; the stream is then the caller's to close
     */
    boolean attach(SmcStream stream);

    /** The peer is attached as well: the sending direction leaves TCP with the next write. */
    void ready();

    /** Undoes {@link #attach}; only before the peer can have switched. */
    void detach();

    /** The handshake ended without a switch, for a reason of spec/10-clc.md §10. */
    void declined(int reasonCode);

    /** The peer's process is gone. */
    void peerDied();
}
