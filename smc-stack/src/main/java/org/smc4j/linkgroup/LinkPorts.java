package org.smc4j.linkgroup;

/** The ports of the RNICs of this host, as far as link groups choose them. Called on the scheduler. */
public interface LinkPorts {
    /**
     * A port for another link beside one that uses {@code current}: active, of the same PNETID, with a GID of the same SMC
     * version and VLAN, and of another device, for the other port of the same device would fail with it (spec/20-llc.md §6).
     *
     * @param version {@link org.smc4j.llc.LlcMessage#VERSION_1} or {@link org.smc4j.llc.LlcMessage#VERSION_2}
     * @return null if there is none
     */
    RnicPort alternate(RnicPort current, int version, int vlan);
}
