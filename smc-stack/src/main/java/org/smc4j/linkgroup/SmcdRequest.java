package org.smc4j.linkgroup;

import org.smc4j.clc.Gid;

/**
 * What a handshake knows when its connection needs a link group of SMC-D.
 *
 * @param version 1 or 2
 * @param device  name of the ISM device
 * @param peerGid 128 bits of an emulated device; the 64 bits of a native one in {@link Gid#high}
 * @param vlan    0 if there is none; of no meaning in version 2
 */
public record SmcdRequest(int version, String device, Gid peerGid, int vlan) {
}
