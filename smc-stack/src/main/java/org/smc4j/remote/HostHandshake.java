package org.smc4j.remote;

import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.core.SmcrConnection;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.negotiation.Handshake;
import org.smc4j.negotiation.HandshakeEnd;
import org.smc4j.proxy.Exchange;
import org.smc4j.sideband.Endpoint;
import org.smc4j.stream.SmcStream;

/**
 * One handshake with another host, at either end: CLC messages over an exchange, then ATTACHED and READY. All on the thread of the
 * loop.
 */
abstract class HostHandshake implements Exchange.Handler {
    private static final byte[] NOTHING = new byte[0];

    private final HostPeers peers;
    private final Endpoint endpoint;
    final RdmaStream stream;
    private Handshake<?, ?, ?> handshake;
    Exchange exchange;
    private DeclineReason ended;
    private boolean attached;
    private boolean over;

    HostHandshake(HostPeers peers, Endpoint endpoint, RdmaStream stream) {
        this.peers = peers;
        this.endpoint = endpoint;
        this.stream = stream;
    }

    void handshake(Handshake<?, ?, ?> course) {
        handshake = course;
    }

    /** The way of the CLC messages to the peer. */
    void carry(ClcMessage message) {
        byte[] bytes = ClcCodec.encode(message);
        switch (message.type()) {
            case PROPOSAL -> exchange = peers.propose(this, bytes);
            case ACCEPT -> exchange.send(Type.ACCEPT, bytes);
            case CONFIRM -> exchange.send(Type.CONFIRM, bytes);
            case DECLINE -> {
                if (exchange != null) {
                    exchange.decline(bytes);
                }
            }
        }
    }

    @Override
    public void received(Exchange from, Type type, byte[] payload) {
        switch (type) {
            case ATTACHED -> peerAttached();
            case READY -> peerReady();
            default -> received(payload);
        }
    }

    private void received(byte[] payload) {
        if (attached) {
            return;
        }
        ClcMessage message = decode(payload);
        if (message == null) {
            handshake.malformed();
        } else {
            handshake.received(message);
        }
    }

    /** Null for what is no message. */
    static ClcMessage decode(byte[] payload) {
        try {
            return ClcCodec.decode(payload, 0, payload.length);
        } catch (ClcException e) {
            Log.debug("from another host: " + e.getMessage());
            return null;
        }
    }

    @Override
    public void ended(Exchange which, DeclineReason reason, byte[] payload) {
        if (attached) {
            setOver();
            if (reason == DeclineReason.PEER || !mayPeerHaveSwitched()) {
                endpoint.detach(ReasonCode.PEERDECL.number());
                stream.forsake();
            }
            // Else we go on to read what comes by SMC, and to write to TCP.
            return;
        }
        ended = reason;
        if (payload.length > 0 && decode(payload) instanceof ClcDecline decline) {
            handshake.received(decline);
        } else {
            handshake.peerClosed();
        }
    }

    /** How the CLC handshake ended. */
    void ended(HandshakeEnd end) {
        switch (end) {
            case HandshakeEnd.Active active -> attach((SmcrConnection) active.reservation());
            case HandshakeEnd.Fallback fallback -> {
                if (fallback.peerDiagnosis() != 0) {
                    Log.debug(exchange + ": the peer declined, " + ReasonCode.describe(fallback.peerDiagnosis()));
                }
                stay(fallback.reason());
            }
            case HandshakeEnd.Failed failed -> {
                exchangeOver();
                if (failed.errno() == Errno.ECONNABORTED) {
                    Log.debug(exchange + ": closed before the end of the handshake");
                }
                stay(ended != null ? ended.reasonCode().number()
                        : (failed.errno() == Errno.ETIMEDOUT ? ReasonCode.TIMEOUT_CL : ReasonCode.INTERR).number());
            }
        }
    }

    /** The connection stays TCP. */
    private void stay(int reason) {
        setOver();
        Log.debug((exchange == null ? "SMC-R" : exchange.toString()) + ": stays TCP, " + ReasonCode.describe(reason));
        stream.abandon();
        endpoint.declined(reason);
    }

    private void attach(SmcrConnection connection) {
        stream.begin(connection);
        if (!endpoint.attach(stream)) {
            // Closed meanwhile, as TCP tells the peer: that may be attached already, and must not take the end of this for a reset.
            setOver();
            stream.publishFlags(SmcStream.PEER_CONN_CLOSED | SmcStream.PEER_DONE_WRITING);
            stream.close();
            exchangeOver();
            return;
        }
        attached = true;
        attached();
    }

    /** This end reads from SMC what comes that way. */
    abstract void attached();

    /** Whether the peer may write to SMC although this end has not heard that it is ready. */
    abstract boolean mayPeerHaveSwitched();

    /** It has come to its end, well or not. Once. */
    abstract void over();

    /** The client does. */
    abstract void peerAttached();

    /** The server does. */
    abstract void peerReady();

    final boolean isAttached() {
        return attached;
    }

    /**
     * Both ends do: what the application writes may go by SMC. The client leaves TCP when the link has carried a message of this
     * connection, and the server when the client has. So no end has left TCP while the other one never will, and whoever goes back to TCP
     * knows what the other end does: a client that has not heard of the server's switch resets, and a server waits for the client's word.
     *
     * @param isClient which end this is
     */
    final void ready(boolean isClient) {
        setOver();
        if (isClient) {
            stream.probe(endpoint::ready);
        } else {
            stream.whenPeerSwitched(endpoint::ready);
        }
    }

    final void send(Type type) {
        exchange.send(type, NOTHING);
    }

    private void exchangeOver() {
        if (exchange != null && ended == null) {
            exchange.abandon();
        }
    }

    private void setOver() {
        if (!over) {
            over = true;
            peers.over(endpoint, this);
        }
    }

    /** The connection was closed: nobody has to wait for the outcome. */
    void cancel() {
        if (!over && !attached) {
            handshake.cancel();
        }
    }

    Endpoint endpoint() {
        return endpoint;
    }
}
