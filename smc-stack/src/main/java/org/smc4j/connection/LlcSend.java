package org.smc4j.connection;

import org.smc4j.cdc.CdcCodec;
import org.smc4j.linkgroup.LinkTransport;
import org.smc4j.roce.Completions;

/** One LLC message on its way through a work queue. */
final class LlcSend extends SlotWaiter implements SendHandler {
    private final byte[] message;
    private final LinkTransport.SendResult result;

    LlcSend(byte[] message, LinkTransport.SendResult result) {
        this.message = message;
        this.result = result;
    }

    byte[] message() {
        return message;
    }

    /** Whether it does not fit into a slot. */
    boolean isLong() {
        return message.length > CdcCodec.SIZE;
    }

    /** On the scheduler. */
    void report(boolean completed) {
        result.sent(completed);
    }

    @Override
    void slotReserved(WorkQueue workQueue, int slot) {
        workQueue.post(slot, this);
    }

    @Override
    void slotRefused(WorkQueue workQueue) {
        workQueue.ended(this, false);
    }

    @Override
    public void sent(WorkQueue workQueue, int status, long position, int sequence) {
        workQueue.ended(this, status == Completions.SUCCESS);
    }
}
