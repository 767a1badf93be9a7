package org.smc4j.status;

import org.smc4j.diag.SmcMode;

/**
 * A link group at one moment, in the words of {@code smcr linkgroup} and {@code smcd linkgroup}. Text that does not apply is empty.
 *
 * @param id              unique in its process and mode
 * @param role            {@code SERV} or {@code CLNT}; SMC-D has none
 * @param type            {@code NONE} (no active link: not yet, or lost), {@code SINGLE}, {@code SYM}, {@code ASYMP} (two RNICs here,
 *                        one at the peer) or {@code ASYML} (the other way round); SMC-D has none
 * @param version         of SMC, 1 or 2
 * @param release         of version 2
 * @param vlan            0 if there is none
 * @param connections     that are in the group now, those of handshakes under way included
 * @param maxConnections  most of them; 0 if nothing is agreed on
 * @param maxLinks        most links; 0 for SMC-D
 * @param peer            SMC-R: the peer's system id; SMC-D: the peer's process
 * @param eid             that both have in common, of version 2
 * @param sendBuffers     that there are, and how many of them connections use
 * @param sendBufferBytes of all of them
 * @param rmbs            RMBs or DMBs that there are, and how many of them connections use
 * @param rmbBytes        of all of them; those of DMBs include what is behind each
 */
public record LinkGroupStatus(SmcMode mode, int id, String role, String type, int version, int release, String pnetId, int vlan,
        int connections, int maxConnections, int maxLinks, String peer, String eid, int sendBuffers, int sendBuffersUsed,
        long sendBufferBytes, int rmbs, int rmbsUsed, long rmbBytes) {
}
