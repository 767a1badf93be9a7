package org.smc4j.connection;

/** Who sent a message by a control slot. */
interface SendHandler {
    /**
     * The message has completed, and the RDMA WRITEs before it. On the completion thread, which holds no lock; must not block. The
     * slot is freed after this call.
     *
     * @param status   {@link org.smc4j.roce.Completions#SUCCESS}, or why not
     * @param position as posted
     * @param sequence as posted
     */
    void sent(WorkQueue workQueue, int status, long position, int sequence);
}
