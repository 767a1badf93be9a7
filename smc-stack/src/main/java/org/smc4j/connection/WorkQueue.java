package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.diag.Log;
import org.smc4j.linkgroup.LinkTransport;
import org.smc4j.linkgroup.RnicPort;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.ProtectionDomain;
import org.smc4j.roce.RoceException;
import org.smc4j.time.Scheduler;

/**
 * The queue pair of one link, and the control slots that all its connections share with its LLC messages (spec/30-cdc.md §10,
 * spec/40-buffers-linkgroups.md §9, §10). A slot is one message of 44 bytes with up to two RDMA WRITEs before it; slots are the only
 * limit of what is under way, and who finds none waits for one, in order and for at most 10 s, after which the link is down.
 *
 * <p>Public methods are for the control plane: they are called on the scheduler, and all that they report comes back on it, in a turn
 * of its own. The others are for connections, on any thread, and for the completion thread. Nothing blocks.
 */
public final class WorkQueue implements LinkTransport {
    /** What {@link #reserve} says if there is no slot now. */
    static final int NO_SLOT = -1;
    /** What {@link #reserve} says if there will be none. */
    static final int DOWN = -2;

    private static final int SEND_SGES = 2;
    /** Ids of RDMA WRITEs have their number, 1 or 2, above the slot. */
    private static final int WRITE_SHIFT = 32;

    private enum State { OPEN, DOWN, FAILING, FLUSHED }

    private record Drain(long target, Runnable whenDone) {
    }

    private final DeviceCompletions completions;
    private final ConnectionTable connections;
    private final Scheduler scheduler;
    private final Listener listener;
    private final ProtectionDomain domain;
    private final QueuePair queuePair;
    private final RnicPort port;
    private final WorkQueues.Sizes sizes;
    private final ControlMemory memory;
    private final CdcFlyweight[] slotMessages;
    /** For whoever polls the device's completions. */
    private final CdcFlyweight receivedMessage = new CdcFlyweight();
    private volatile long lastReceive;

    /** Guards all fields below, the slots, and calls of the queue pair. Nothing is called back while it is held. */
    private final Object lock = new Object();
    private final ControlSlots slots;
    private volatile State state = State.OPEN;
    private final SendHandler[] handlers;
    private final long[] positions;
    private final int[] sequences;
    /** The number of a slot's last WRITE if the message behind it could not be posted; else 0. */
    private final int[] orphans;
    private int waitingMessages;
    /** Whether a message waits in the one buffer for long ones or is on its way, and those that wait for that buffer. */
    private boolean longBusy;
    private final ArrayDeque<LlcSend> longMessages = new ArrayDeque<>();
    private int receivesPosted;
    private long posted;
    private long completed;
    private final ArrayDeque<Drain> drains = new ArrayDeque<>();
    private Runnable whenFlushed;

    private WorkQueue(DeviceCompletions completions, RnicPort port, ConnectionTable connections, Scheduler scheduler, Listener listener,
                      ProtectionDomain domain, QueuePair queuePair, WorkQueues.Sizes sizes, ControlMemory memory) {
        this.completions = completions;
        this.port = port;
        this.connections = connections;
        this.scheduler = scheduler;
        this.listener = listener;
        this.domain = domain;
        this.queuePair = queuePair;
        this.sizes = sizes;
        this.memory = memory;
        lastReceive = scheduler.nanoTime();
        slots = new ControlSlots(this, lock, scheduler, sizes.slots());
        handlers = new SendHandler[sizes.slots()];
        positions = new long[sizes.slots()];
        sequences = new int[sizes.slots()];
        orphans = new int[sizes.slots()];
        slotMessages = new CdcFlyweight[sizes.slots()];
        for (int slot = 0; slot < sizes.slots(); slot++) {
            slotMessages[slot] = new CdcFlyweight().wrap(memory.segment(), memory.slotOffset(slot));
        }
    }

    /**
     * Opens a queue pair in state RESET, with a protection domain of its own. If the device has not enough room, with half as many
     * slots and receives as asked for, and so on, but not below 16 and 48.
     *
     * @param connections those of the link group, which the CDC messages are for
     * @throws RoceException if the device has no room at all
     */
    static WorkQueue open(RoceDevice device, DeviceCompletions completions, RnicPort port, ConnectionTable connections,
                          Scheduler scheduler, WorkQueues.Sizes wanted, Listener listener) throws RoceException {
        ProtectionDomain domain = device.allocateProtectionDomain();
        QueuePair queuePair = null;
        try {
            WorkQueues.Sizes granted = wanted;
            while (queuePair == null) {
                try {
                    queuePair = createQueuePair(domain, completions, granted);
                } catch (RoceException e) {
                    if (!granted.canBeHalved()) {
                        throw e;
                    }
                    granted = granted.halved();
                }
            }
            WorkQueue opened = new WorkQueue(completions, port, connections, scheduler, listener, domain, queuePair, granted,
                    ControlMemory.register(domain, granted));
            completions.add(queuePair.number(), opened);
            connections.add(completions);
            return opened;
        } catch (RoceException e) {
            if (queuePair != null) {
                queuePair.close();
            }
            domain.close();
            throw e;
        }
    }

    private static QueuePair createQueuePair(ProtectionDomain domain, DeviceCompletions completions, WorkQueues.Sizes sizes)
            throws RoceException {
        int requests = (1 + RdmaWrites.MOST) * sizes.slots();
        return domain.createQueuePair(new RoceDevice.QueuePairAttributes(completions.sends(), completions.receives(), requests,
                sizes.receives(), SEND_SGES, 1, 0));
    }

    // -- Control plane --

    @Override
    public int queuePair() {
        return queuePair.number();
    }

    @Override
    public int controlSlots() {
        return sizes.slots();
    }

    @Override
    public int receiveBuffers() {
        return sizes.receives();
    }

    @Override
    public void connect(Peer peer) throws RoceException {
        synchronized (lock) {
            queuePair.initialize(port.number());
            for (int i = 0; i < sizes.receives(); i++) {
                offerReceive(i);
            }
            queuePair.readyToReceive(new QueuePair.Path(port.gidIndex(), peer.mtuCode(), peer.gid(), peer.mac(), peer.queuePair(),
                    peer.initialPsn(), peer.hopLimit()));
        }
    }

    @Override
    public void readyToSend(int initialPsn) throws RoceException {
        synchronized (lock) {
            queuePair.readyToSend(initialPsn);
        }
    }

    @Override
    public MemoryRegion register(MemorySegment bytes, boolean remoteWrite) throws RoceException {
        return domain.register(bytes, remoteWrite);
    }

    @Override
    public long lastReceiveNanos() {
        return lastReceive;
    }

    /** There is one buffer for messages of more than 44 bytes: while one waits or is on its way, others wait for it. */
    @Override
    public void send(byte[] message, SendResult result) {
        LlcSend send = new LlcSend(message, result);
        synchronized (lock) {
            if (waitingMessages == MAX_WAITING_MESSAGES) {
                scheduler.execute(() -> send.report(false));
                return;
            }
            waitingMessages++;
            if (send.isLong()) {
                if (longBusy) {
                    longMessages.add(send);
                    return;
                }
                longBusy = true;
            }
        }
        takeSlot(send);
    }

    private void takeSlot(LlcSend send) {
        int slot = reserve(send);
        if (slot >= 0) {
            send.slotReserved(this, slot);
        } else if (slot == DOWN) {
            send.slotRefused(this);
        }
    }

    @Override
    public void drain(Runnable whenDone) {
        synchronized (lock) {
            if (completed < posted) {
                drains.add(new Drain(posted, whenDone));
                return;
            }
        }
        scheduler.execute(whenDone);
    }

    @Override
    public void stop() {
        takeDown("its link is lost");
    }

    @Override
    public void fail(Runnable flushed) {
        boolean first;
        synchronized (lock) {
            first = state == State.OPEN;
            state = State.FAILING;
            whenFlushed = flushed;
            queuePair.fail();
        }
        if (first) {
            slots.close();
        }
        finishIfFlushed();
    }

    @Override
    public void close() {
        domain.close();
    }

    // -- For connections, on any thread --

    /**
     * Takes a slot, which its owner posts or gives back, soon.
     *
     * @return the slot; {@link #NO_SLOT} if the waiter waits now, or waited before; or {@link #DOWN}
     */
    int reserve(SlotWaiter waiter) {
        return slots.reserve(waiter);
    }

    /** The waiter waits no longer, if it still did. A slot that it was given meanwhile it has to give back. */
    void cancel(SlotWaiter waiter) {
        slots.cancel(waiter);
    }

    /** Gives back a slot that is not posted. */
    void release(int slot) {
        slots.release(slot);
        finishIfFlushed();
    }

    /** The message of a slot, for its owner to write. */
    CdcFlyweight message(int slot) {
        return slotMessages[slot];
    }

    /**
     * Posts the WRITEs and behind them the CDC message of the slot, which is the work queue's from now on.
     *
     * @param lkey     of the writes' memory
     * @param rkey     of the peer's ring
     * @param position for the handler, as {@code sequence}, when all has completed
     * @return false if it was not posted and the handler will not be called: the link is down
     */
    boolean post(int slot, RdmaWrites writes, int lkey, int rkey, SendHandler handler, long position, int sequence) {
        int written = 0;
        synchronized (lock) {
            if (state == State.OPEN) {
                int result = 0;
                while (result == 0 && written < writes.count()) {
                    result = postWrite(slot, written, writes, lkey, rkey);
                    written += result == 0 ? 1 : 0;
                }
                if (result == 0 && postMessage(slot, memory.slotOffset(slot), CdcCodec.SIZE, handler, position, sequence)) {
                    return true;
                }
            }
            orphans[slot] = written;
        }
        takeDown("a request could not be posted");
        if (written == 0) {
            release(slot);
        }
        return false;
    }

    private int postWrite(int slot, int write, RdmaWrites writes, int lkey, int rkey) {
        long id = slot | (long) (write + 1) << WRITE_SHIFT;
        int flags = writes.length(write) < queuePair.maxInline() ? QueuePair.INLINE : 0;
        int second = writes.length(write, 1);
        return second == 0
                ? queuePair.postWrite(id, writes.address(write, 0), writes.length(write, 0), lkey, writes.remoteAddress(write),
                        rkey, flags)
                : queuePair.postWrite(id, writes.address(write, 0), writes.length(write, 0), lkey, writes.address(write, 1), second,
                        lkey, writes.remoteAddress(write), rkey, flags);
    }

    /** With the lock held. */
    private boolean postMessage(int slot, long offset, int length, SendHandler handler, long position, int sequence) {
        int flags = QueuePair.SIGNALED | QueuePair.SOLICITED | (queuePair.maxInline() > length ? QueuePair.INLINE : 0);
        if (queuePair.postSend(slot, memory.address(offset), length, memory.lkey(), flags) != 0) {
            return false;
        }
        handlers[slot] = handler;
        positions[slot] = position;
        sequences[slot] = sequence;
        posted++;
        return true;
    }

    // -- For LLC messages --

    /** Posts a message that waited for this slot. */
    void post(int slot, LlcSend send) {
        byte[] message = send.message();
        long offset = send.isLong() ? memory.longOffset() : memory.slotOffset(slot);
        MemorySegment.copy(message, 0, memory.segment(), ValueLayout.JAVA_BYTE, offset, message.length);
        synchronized (lock) {
            if (state == State.OPEN && postMessage(slot, offset, message.length, send, 0, 0)) {
                return;
            }
        }
        takeDown("a message could not be posted");
        release(slot);
        ended(send, false);
    }

    /** A message has completed, or was not posted. */
    void ended(LlcSend send, boolean well) {
        LlcSend next = null;
        synchronized (lock) {
            waitingMessages--;
            if (send.isLong()) {
                next = longMessages.poll();
                longBusy = next != null;
            }
        }
        scheduler.execute(() -> send.report(well));
        if (next != null) {
            takeSlot(next);
        }
    }

    // -- The completion thread --

    void sendCompleted(long id, int status) {
        int slot = (int) id;
        int write = (int) (id >>> WRITE_SHIFT);
        if (status != Completions.SUCCESS) {
            takeDown("a request failed with status " + status);
        }
        if (write > 0) {
            writeFailed(slot, write);
            return;
        }
        SendHandler handler;
        long position;
        int sequence;
        synchronized (lock) {
            handler = handlers[slot];
            position = positions[slot];
            sequence = sequences[slot];
            handlers[slot] = null;
            completed++;
        }
        handler.sent(this, status, position, sequence);
        release(slot);
        runDrains();
    }

    /** WRITEs complete only if they fail; the message behind completes too, if there is one. */
    private void writeFailed(int slot, int write) {
        synchronized (lock) {
            if (orphans[slot] != write) {
                return;
            }
            orphans[slot] = 0;
        }
        release(slot);
    }

    private void runDrains() {
        synchronized (lock) {
            while (!drains.isEmpty() && drains.peek().target <= completed) {
                scheduler.execute(drains.remove().whenDone);
            }
        }
    }

    void receiveCompleted(long id, int status, int length) {
        int index = (int) id;
        if (status == Completions.SUCCESS && length > 0) {
            lastReceive = scheduler.nanoTime();
            received(memory.receiveOffset(index), length);
        }
        boolean fatal = status == Completions.RETRY_EXCEEDED || status == Completions.RNR_RETRY_EXCEEDED
                || status == Completions.FLUSH_ERROR;
        if (fatal) {
            takeDown("a receive failed with status " + status);
        }
        boolean offered;
        synchronized (lock) {
            receivesPosted--;
            offered = !fatal && state == State.OPEN && offerReceive(index);
        }
        if (!offered) {
            finishIfFlushed();
        }
    }

    private void received(long offset, int length) {
        MemorySegment segment = memory.segment();
        if (segment.get(ValueLayout.JAVA_BYTE, offset) != (byte) CdcCodec.TYPE) {
            byte[] message = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            report(() -> listener.received(message));
            return;
        }
        CdcFlyweight message = receivedMessage.wrap(segment, offset);
        if (message.isMessage(length)) {
            connections.received(this, message);
        }
    }

    /** With the lock held. */
    private boolean offerReceive(int index) {
        long address = memory.address(memory.receiveOffset(index));
        boolean offered = queuePair.postReceive(index, address, memory.receiveLength(), memory.lkey()) == 0;
        receivesPosted += offered ? 1 : 0;
        return offered;
    }

    private void report(Runnable report) {
        scheduler.execute(() -> {
            if (state == State.OPEN || state == State.DOWN) {
                report.run();
            }
        });
    }

    // -- The end --

    /**
     * The link is of no more use. No slot is given from now on, and nothing is sent any more: what was posted must not reach the peer's
     * memory after others have written there by another link. Any thread that holds no lock.
     */
    void takeDown(String why) {
        synchronized (lock) {
            if (state != State.OPEN) {
                return;
            }
            state = State.DOWN;
            queuePair.fail();
        }
        Log.info("queue pair " + queuePair() + ": " + why);
        slots.close();
        report(listener::failed);
    }

    private void finishIfFlushed() {
        if (state != State.FAILING) {
            return;
        }
        Runnable flushed;
        synchronized (lock) {
            if (state != State.FAILING || !slots.areAllFree() || receivesPosted > 0) {
                return;
            }
            state = State.FLUSHED;
            flushed = whenFlushed;
        }
        completions.remove(queuePair());
        connections.remove(completions);
        queuePair.close();
        memory.close();
        scheduler.execute(flushed);
    }
}
