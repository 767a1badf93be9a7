package org.smc4j.clc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * Accept or Confirm of SMC-R.
 *
 * @param type         ACCEPT or CONFIRM
 * @param version      1 to 15
 * @param firstContact whether this starts a new link group; from version 2 on exactly if there is a first contact
 *                     extension
 * @param systemId     of the sender
 * @param gid          of the sender's port
 * @param mac          of the sender's port
 * @param qpNumber     24 bits
 * @param rkey         of the sender's receive buffer, 32 bits
 * @param rmbeIndex    1-based; Linux 1; a peer may send any byte
 * @param alertToken   the sender's id of the connection, 32 bits
 * @param sizeCode     the size of the receive buffer
 * @param mtuCode      1 = 256, 2 = 512, 3 = 1024, 4 = 2048, 5 = 4096 bytes; a peer may send 0 to 15
 * @param rmbAddress   of the receive buffer, 64 bits
 * @param initialPsn   the first packet sequence number, 24 bits
 * @param v2           the part of version 2; null in version 1
 */
public record ClcAcceptConfirmR(ClcType type, int version, boolean firstContact, SystemId systemId, Gid gid, Mac mac,
                                int qpNumber, int rkey, int rmbeIndex, int alertToken, int sizeCode, int mtuCode,
                                long rmbAddress, int initialPsn, V2 v2) implements ClcAcceptConfirm {
    public ClcAcceptConfirmR {
        Checks.that(type == ClcType.ACCEPT || type == ClcType.CONFIRM, "type: ACCEPT or CONFIRM expected");
        Checks.range("version", version, VERSION_1, Checks.NIBBLE);
        Checks.that(systemId != null && gid != null && mac != null, "field missing");
        Checks.range("QP number", qpNumber, 0, Checks.U24);
        Checks.range("RMBE index", rmbeIndex, 0, Checks.U8);
        Checks.range("RMBE size code", sizeCode, 0, Checks.NIBBLE);
        Checks.range("MTU code", mtuCode, 0, Checks.NIBBLE);
        Checks.range("initial PSN", initialPsn, 0, Checks.U24);
        Checks.that((version > VERSION_1) == (v2 != null), "v2 part: from version 2 on");
        Checks.that(v2 == null || firstContact == (v2.firstContact() != null),
                "first contact extension: exactly at first contact");
        Checks.that(v2 == null || v2.gids.isEmpty() || type == ClcType.CONFIRM && firstContact,
                "GID list: only in the Confirm of a first contact");
    }

    /**
     * What version 2 adds.
     *
     * @param eid          the negotiated one
     * @param firstContact the extension; null if an existing link group is used
     * @param gids         Confirm of a first contact: the client's RoCE v2 GIDs, up to 255 (Linux: 1 or 2); else empty
     */
    public record V2(Eid eid, FirstContactExtension firstContact, List<Gid> gids) {
        public V2 {
            Checks.that(eid != null, "EID missing");
            gids = List.copyOf(gids);
            Checks.range("count of GIDs", gids.size(), 0, Checks.U8);
        }
    }
}
