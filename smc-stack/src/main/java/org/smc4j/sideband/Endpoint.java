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

    /**
     * Undoes {@link #attach}, for a reason of spec/10-clc.md §10; only if neither end has switched.
     */
    void detach(int reasonCode);

    /**
     * Keeps what TCP has brought of its first {@code offset} bytes and the application has not read, so that the bytes behind are next.
     *
     * @param fd of the same TCP connection as {@link #descriptor}, which may be closed by now
     * @return 0 if those are next, a positive number if some before are still to come, or a negated errno
     */
    long takeTcp(int fd, long offset);

    /** The connection has left SMC again, for a reason of spec/10-clc.md §10: its stream goes on over TCP beneath. */
    void returnedToTcp(int reasonCode);

    /** The handshake ended without a switch, for a reason of spec/10-clc.md §10. */
    void declined(int reasonCode);

    /** The peer's process is gone. */
    void peerDied();
}
