package org.smc4j.linkgroup;

/**
 * What the buffers of a link group have cost so far.
 *
 * @param buffers        that there are, in use or not
 * @param used           those that a connection has
 * @param allocatedBytes of all that there are
 * @param allocations    buffers that were new
 * @param reuses         buffers that had been another connection's
 * @param downgrades     buffers that are smaller than what was asked for
 */
public record BufferCounts(int buffers, int used, long allocatedBytes, int allocations, int reuses, int downgrades) {
}
