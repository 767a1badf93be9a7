package org.smc4j.clc;

import org.smc4j.wire.Checks;

/**
 * Accept or Confirm of SMC-D.
 *
 * @param type         ACCEPT or CONFIRM
 * @param version      1 to 15
 * @param firstContact whether this starts a new link group; from version 2 on exactly if there is a first contact
 *                     extension
 * @param gid          of the sender's device; bytes 0 to 7 of the UUID of an Emulated-ISM device
 * @param dmbToken     names the sender's receive buffer
 * @param dmbeIndex    0 to 255; Linux 0
 * @param sizeCode     the size of the receive buffer with its 32-byte header
 * @param linkGroupId  of the sender, opaque
 * @param v2           the part of version 2; null in version 1
 */
public record ClcAcceptConfirmD(ClcType type, int version, boolean firstContact, long gid, long dmbToken, int dmbeIndex,
                                int sizeCode, int linkGroupId, V2 v2) implements ClcAcceptConfirm {
    public ClcAcceptConfirmD {
        Checks.that(type == ClcType.ACCEPT || type == ClcType.CONFIRM, "type: ACCEPT or CONFIRM expected");
        Checks.range("version", version, VERSION_1, Checks.NIBBLE);
        Checks.range("DMBE index", dmbeIndex, 0, Checks.U8);
        Checks.range("DMBE size code", sizeCode, 0, Checks.NIBBLE);
        Checks.that((version > VERSION_1) == (v2 != null), "v2 part: from version 2 on");
        Checks.that(v2 == null || firstContact == (v2.firstContact() != null),
                "first contact extension: exactly at first contact");
    }

    /**
     * An answer over an Emulated-ISM device.
     *
     * @param type         ACCEPT or CONFIRM
     * @param gid          the UUID of the sender's device
     * @param chid         of the chosen device, 0xFF00 to 0xFFFF
     * @param eid          the negotiated one
     * @param dmbToken     names the sender's receive buffer
     * @param sizeCode     of the receive buffer with its header, 0 to 15
     * @param linkGroupId  of the sender, opaque
     * @param firstContact the extension; null if an existing link group is used
     */
    public static ClcAcceptConfirmD smcdV2(ClcType type, Gid gid, int chid, Eid eid, long dmbToken, int sizeCode,
                                           int linkGroupId, FirstContactExtension firstContact) {
        Checks.range("Emulated-ISM CHID", chid, EMULATED_CHID_MIN, Checks.U16);
        return new ClcAcceptConfirmD(type, VERSION_2, firstContact != null, gid.high(), dmbToken, 0, sizeCode,
                linkGroupId, new V2(chid, eid, gid.low(), firstContact));
    }

    /** The sender's GID; of a native device, or in version 1, only the high half. */
    public Gid gid128() {
        return new Gid(gid, v2 != null && ClcMessage.isEmulatedChid(v2.chid) ? v2.gidExtension : 0);
    }

    /**
     * What version 2 adds.
     *
     * @param chid         of the chosen device, 0 to 0xFFFF
     * @param eid          the negotiated one
     * @param gidExtension bytes 8 to 15 of the UUID of an Emulated-ISM device, else 0
     * @param firstContact the extension; null if an existing link group is used
     */
    public record V2(int chid, Eid eid, long gidExtension, FirstContactExtension firstContact) {
        public V2 {
            Checks.range("CHID", chid, 0, Checks.U16);
            Checks.that(eid != null, "EID missing");
            Checks.that(firstContact == null || firstContact.release() > 0 || firstContact.maxConnections() == 0
                            && firstContact.maxLinks() == 0 && firstContact.featureMask() == 0,
                    "first contact extension of release 0: no limits and no features");
        }
    }
}
