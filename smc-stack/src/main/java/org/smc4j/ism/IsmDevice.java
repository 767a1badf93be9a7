package org.smc4j.ism;

import java.lang.foreign.Arena;

/**
 * What SMC-D needs of an ISM device that can map remote DMBs (spec/60-ism.md §2). Moving data is a copy into the attached
 * memory, and signalling is the doorbell of the connection, so neither is an operation here.
 */
public interface IsmDevice {
    /** The 16 bytes of the device's GID; the same for all processes that can reach each other through it. */
    byte[] gid();

    /** The CHID; 0xFF00–0xFFFE for an Emulated-ISM device. */
    int chid();

    /** A DMB of ours together with the descriptor that lets the peer attach it; the caller closes the descriptor. */
    record Registered(Dmb dmb, int descriptor) {
    }

    /**
     * Allocates zeroed memory for the peer to write into.
     *
     * @param size bytes, as {@link Dmb#size}
     * @param arena its end unmaps the memory
     * @throws DmbException if there is no memory or no descriptor left
     */
    Registered registerDmb(int size, Arena arena) throws DmbException;

    /**
     * Maps a DMB of the peer.
     *
     * @param descriptor as it came from the peer; stays open
     * @throws DmbException if it is not a DMB of that size that can neither shrink nor grow, or cannot be mapped
     */
    Dmb attachDmb(long token, int size, int descriptor, Arena arena) throws DmbException;
}
