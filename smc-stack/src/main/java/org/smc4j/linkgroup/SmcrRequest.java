package org.smc4j.linkgroup;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;

/**
 * What a handshake knows when its connection needs a link group of SMC-R.
 *
 * @param terms             those of a new group; an existing one has its own
 * @param port              where a new group begins
 * @param vlan              0 if there is none
 * @param anyVlan           takes a group of any VLAN, as the kernel does beside SMC-D v2 without SMC-D v1
 *                          (spec/40-buffers-linkgroups.md §4)
 * @param peerSystemId      on the server from the Proposal, on the client from the Accept, as the two fields behind it
 * @param sendBufferSize    bytes, half of SO_SNDBUF as it is stored
 * @param receiveBufferSize bytes, half of SO_RCVBUF as it is stored
 */
public record SmcrRequest(SmcrTerms terms, RnicPort port, int vlan, boolean anyVlan, SystemId peerSystemId, Gid peerGid,
                          Mac peerMac, int sendBufferSize, int receiveBufferSize) {
}
