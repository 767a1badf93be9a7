package org.smc4j.linkgroup;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.wire.Checks;

/** The ids that one system gives out (spec/40-buffers-linkgroups.md §5). */
class Identifiers {
    /** Distance of two link group ids: a link uid is the group's id plus the link's id, which is one byte. */
    static final int GROUP_ID_STEP = 256;
    private static final int PSN_LIMIT = 1 << 24;
    private static final int MAC_BITS = 48;

    private final RandomGenerator random;
    private final int systemInstance;
    private SystemId systemId = SystemId.NONE;
    private int lastGroupId;
    private int lastAlertToken;

    /** @param systemInstance 16 bits that no other process with the same ports has */
    Identifiers(RandomGenerator random, int systemInstance) {
        Checks.range("system instance", systemInstance, 0, Checks.U16);
        this.random = random;
        this.systemInstance = systemInstance;
    }

    int nextGroupId() {
        return lastGroupId += GROUP_ID_STEP;
    }

    /** Counts through 32 bits; 0, which means "not registered", and those in use are left out. */
    int nextAlertToken(IntPredicate inUse) {
        do {
            lastAlertToken++;
        } while (lastAlertToken == 0 || inUse.test(lastAlertToken));
        return lastAlertToken;
    }

    int initialPsn() {
        return random.nextInt(PSN_LIMIT);
    }

    /** The first active port gives the system id its last six bytes; later ones change nothing. */
    void portActive(Mac mac) {
        if (systemId.equals(SystemId.NONE)) {
            systemId = new SystemId((long) systemInstance << MAC_BITS | mac.value());
        }
    }

    /** {@link SystemId#NONE} as long as no port was active. */
    SystemId systemId() {
        return systemId;
    }
}
