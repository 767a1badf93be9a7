package org.smc4j.negotiation;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

/** What the peer must know of our end of a connection, to write to it: the part of an Accept or Confirm that devices give. */
public sealed interface LocalEnd {
    /**
     * An end of SMC-D.
     *
     * @param dmbeIndex   0 and up; Linux 0
     * @param sizeCode    of the DMB with its header
     * @param linkGroupId opaque to the peer
     */
    record Smcd(long dmbToken, int dmbeIndex, int sizeCode, int linkGroupId) implements LocalEnd {
    }

    /**
     * An end of SMC-R, on the link that the connection uses, whose port may be another than that of the choice.
     *
     * @param qpNumber   24 bits
     * @param rmbeIndex  1 and up; Linux 1
     * @param alertToken our id of the connection, not 0
     * @param mtuCode    of our path, 1 to 5
     * @param initialPsn 24 bits
     */
    record Smcr(Gid gid, Mac mac, int qpNumber, int rkey, int rmbeIndex, int alertToken, int sizeCode, int mtuCode,
                long rmbAddress, int initialPsn) implements LocalEnd {
    }
}
