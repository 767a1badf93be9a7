package org.smc4j.carrier;

import org.smc4j.diag.ReasonCode;

/**
 * Why a handshake between hosts ended without an outcome. On the wire the numbers are those of the REJ reasons of
 * spec/80-cm-rej-timeout.md §2; what only this host can know has none there.
 */
public enum DeclineReason {
    /** A host or process has as much to do as it takes on. */
    NO_RESOURCES(3, ReasonCode.PEERNOSMC, "too many handshakes"),
    /** The sender waits no longer. Said before it had an answer, it names the handshake by the sender's id only. */
    TIMEOUT(4, ReasonCode.TIMEOUT_CL, "no answer in time"),
    NO_LISTENER(8, ReasonCode.PEERNOSMC, "no process with the agent listens there"),
    /** The connection between the hosts ended, or the process that the handshake belonged to. */
    PEER_GONE(10, ReasonCode.PEERNOSMC, "the peer is gone"),
    /** The sideband connection comes from another address than the TCP connection that it is about. */
    INVALID_ADDRESS(12, ReasonCode.PEERNOSMC, "not the address of the TCP connection"),
    /** The peer's process declined; its CLC Decline says why. */
    PEER(28, ReasonCode.PEERDECL, "the peer declined"),

    REFUSED(128, ReasonCode.PEERNOSMC, "nothing listens on the sideband port of that host"),
    NO_ANSWER(129, ReasonCode.PEERNOSMC, "the sideband port of that host does not answer"),
    UNREACHABLE(130, ReasonCode.PEERNOSMC, "the sideband port of that host cannot be reached"),
    NOT_A_PEER(131, ReasonCode.PEERNOSMC, "what answers on the sideband port of that host does not speak this protocol with us"),
    SECRET(132, ReasonCode.CNFERR, "that host does not have our secret"),
    DENIED(133, ReasonCode.CNFERR, "smc.sideband.peers denies that host"),
    PROXY_GONE(134, ReasonCode.PEERNOSMC, "the proxy of this host is gone"),
    SETTINGS(135, ReasonCode.CNFERR, "the proxy of this host has other settings"),
    UNUSABLE(136, ReasonCode.CNFERR, "this process cannot use the sideband between hosts");

    private static final int FIRST_OF_THIS_HOST = 128;
    private static final DeclineReason[] ALL = values();

    private final int code;
    private final ReasonCode reasonCode;
    private final String words;

    DeclineReason(int code, ReasonCode reasonCode, String words) {
        this.code = code;
        this.reasonCode = reasonCode;
        this.words = words;
    }

    /** What is on record for a connection that stays TCP because of this. */
    public ReasonCode reasonCode() {
        return reasonCode;
    }

    /** For logs. */
    public String words() {
        return words;
    }

    int code() {
        return code;
    }

    /** Never said by another host. */
    boolean isOfThisHost() {
        return code >= FIRST_OF_THIS_HOST;
    }

    /** Null if there is none with that number. */
    static DeclineReason of(int code) {
        for (DeclineReason reason : ALL) {
            if (reason.code == code) {
                return reason;
            }
        }
        return null;
    }
}
