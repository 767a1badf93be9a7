package org.smc4j.roce.software;

/** A queue pair's connections: one for its requests, which it opens, and one for those of its peer. */
final class SocketWire implements Wire {
    private final SocketRnic rnic;
    private final OutgoingConnection outgoing;
    private final Runnable resume = this::resume;
    /** The device's thread only. */
    private IncomingConnection incoming;
    /** A message waits for a receive to be posted; by the receive lock. */
    private boolean held;

    SocketWire(SocketRnic rnic, SoftwareQueuePair queuePair) {
        this.rnic = rnic;
        outgoing = new OutgoingConnection(rnic, queuePair);
    }

    @Override
    public void readyToReceive() {
        // A peer that came too early tries again.
    }

    @Override
    public void transmit() {
        outgoing.transmit();
    }

    @Override
    public void receivePosted() {
        if (held) {
            held = false;
            rnic.thread().execute(resume);
        }
    }

    @Override
    public void failed() {
        outgoing.failed();
        rnic.thread().execute(this::endIncoming);
    }

    @Override
    public void closed() {
        outgoing.closed();
    }

    /** A message has found no receive. The receive lock is held. */
    void hold() {
        held = true;
    }

    // -- The device's thread --

    OutgoingConnection outgoing() {
        return outgoing;
    }

    /** The peer's connection has come; one before it, whose end we may not have seen, is over. */
    void connected(IncomingConnection connection) {
        if (incoming != null) {
            incoming.close();
        }
        incoming = connection;
    }

    void disconnected(IncomingConnection connection) {
        if (incoming == connection) {
            incoming = null;
        }
    }

    private void resume() {
        if (incoming != null) {
            incoming.resume();
        }
    }

    private void endIncoming() {
        if (incoming != null) {
            incoming.end();
        }
    }

    void cut(boolean cut) {
        outgoing.cut(cut);
        if (incoming != null) {
            incoming.cut(cut);
        }
    }
}
