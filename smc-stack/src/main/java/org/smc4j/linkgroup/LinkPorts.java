package org.smc4j.linkgroup;

import org.smc4j.roce.RoceException;

/** The ports of the RNICs of this host, as far as link groups choose and use them. Called on the scheduler. */
public interface LinkPorts {
    /**
     * A port for another link beside one that uses {@code current}: active, of the same PNETID, with a GID of the same SMC
     * version and VLAN, and of another device, for the other port of the same device would fail with it (spec/20-llc.md §6).
     *
     * @param version {@link org.smc4j.llc.LlcMessage#VERSION_1} or {@link org.smc4j.llc.LlcMessage#VERSION_2}
     * @return null if there is none
     */
    RnicPort alternate(RnicPort current, int version, int vlan);

    /**
     * Opens a queue pair on a port.
     *
     * @param version decides the size of the receive buffers: 44 bytes, or up to 8192 in version 2
     * @throws RoceException if the device has no room for one
     */
    LinkTransport open(RnicPort port, int version, LinkTransport.Listener listener) throws RoceException;
}
