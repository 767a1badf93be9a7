package org.smc4j.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.smc4j.linkgroup.LinkTransport;
import org.smc4j.linkgroup.RnicPort;
import org.smc4j.linkgroup.SmcrLinkGroup;
import org.smc4j.llc.LlcMessage;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;
import org.smc4j.time.Scheduler;

/** Opens the queue pairs of all link groups, on the devices of this host. Called on the scheduler. */
public final class WorkQueues implements LinkTransport.Factory {
    /**
     * How many of everything a work queue has (spec/40-buffers-linkgroups.md §9).
     *
     * @param slots        control slots (net.smc.smcr_max_send_wr), 2 to 2048
     * @param receives     receive buffers (net.smc.smcr_max_recv_wr), 2 to 2048
     * @param longMessages whether messages of up to 8192 bytes are received, as SMC v2 has them, or 44 at most
     */
    record Sizes(int slots, int receives, boolean longMessages) {
        private static final int LEAST_SLOTS = 16;
        private static final int LEAST_RECEIVES = 48;

        /** Whether a device with too little room may be asked for half of it. */
        boolean canBeHalved() {
            return slots / 2 >= LEAST_SLOTS && receives / 2 >= LEAST_RECEIVES;
        }

        Sizes halved() {
            return new Sizes(slots / 2, receives / 2, longMessages);
        }
    }

    private record Rnic(RoceDevice device, DeviceCompletions completions) {
    }

    private final Scheduler scheduler;
    private final int slots;
    private final int receives;
    private final Map<String, Rnic> rnics = new HashMap<>();
    /** Groups stay as long as anything of theirs does. */
    private final Map<SmcrLinkGroup, ConnectionTable> connections = new WeakHashMap<>();

    /**
     * @param slots    control slots of a link (net.smc.smcr_max_send_wr), 2 to 2048
     * @param receives receive buffers of a link (net.smc.smcr_max_recv_wr), 2 to 2048
     */
    public WorkQueues(Scheduler scheduler, int slots, int receives) {
        this.scheduler = scheduler;
        this.slots = slots;
        this.receives = receives;
    }

    /**
     * Makes a device known by its name.
     *
     * @throws RoceException if it has no room for completion queues
     */
    public void add(RoceDevice device) throws RoceException {
        rnics.put(device.name(), new Rnic(device, new DeviceCompletions(device)));
    }

    /** Forgets a device on which no queue pair is open. */
    public void remove(String name) {
        Rnic rnic = rnics.remove(name);
        if (rnic != null) {
            rnic.completions.close();
        }
    }

    /** The connections of a link group, by their alert tokens. */
    public ConnectionTable connections(SmcrLinkGroup group) {
        return connections.computeIfAbsent(group, absent -> new ConnectionTable());
    }

    @Override
    public LinkTransport open(RnicPort port, SmcrLinkGroup group, LinkTransport.Listener listener) throws RoceException {
        Rnic rnic = rnics.get(port.device());
        if (rnic == null) {
            throw new RoceException("there is no device " + port.device());
        }
        Sizes sizes = new Sizes(slots, receives, group.version() != LlcMessage.VERSION_1);
        return WorkQueue.open(rnic.device, rnic.completions, port, connections(group), scheduler, sizes, listener);
    }
}
