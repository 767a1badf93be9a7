package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.Eid;
import org.smc4j.ffi.linux.Errno;

/**
 * The user's EIDs of this host, and whether the system's is used (spec/70-tunables-observability.md §2). Used on one thread.
 * Refusals are the negated errno values of the kernel's table.
 */
public final class EidTable {
    private final Eid seid;
    private final List<Eid> ueids = new ArrayList<>();
    private boolean seidEnabled;

    /** @param seid {@link Eid#NONE} where the machine has none; one that exists is enabled at first */
    public EidTable(Eid seid) {
        this.seid = seid;
        seidEnabled = hasSeid();
    }

    private boolean hasSeid() {
        return !seid.equals(Eid.NONE);
    }

    /**
     * @param ueid as {@link Eid#ueid} wants it
     * @return 0; {@code -EINVAL} if it breaks a rule; {@code -ERANGE} if there are 4 already; {@code -EEXIST} if it is there
     */
    public int add(String ueid) {
        if (!Eid.isUeid(ueid)) {
            return -Errno.EINVAL;
        }
        if (ueids.size() == LocalEids.MAX_UEIDS) {
            return -Errno.ERANGE;
        }
        Eid eid = Eid.ueid(ueid);
        if (ueids.contains(eid)) {
            return -Errno.EEXIST;
        }
        ueids.add(eid);
        return 0;
    }

    /**
     * @return 0; {@code -ENOENT} if it is not there; {@code -EAGAIN} if it was taken out, was the last one, and so the system EID
     *         is enabled again
     */
    public int remove(String ueid) {
        if (!Eid.isUeid(ueid) || !ueids.remove(Eid.ueid(ueid))) {
            return -Errno.ENOENT;
        }
        return ueids.isEmpty() && enableSeidAgain() ? -Errno.EAGAIN : 0;
    }

    /** Takes all out; the system EID is enabled again. */
    public void flush() {
        ueids.clear();
        enableSeidAgain();
    }

    private boolean enableSeidAgain() {
        boolean changes = hasSeid() && !seidEnabled;
        seidEnabled |= changes;
        return changes;
    }

    /** @return 0; {@code -EOPNOTSUPP} on a machine without a system EID */
    public int enableSeid() {
        if (!hasSeid()) {
            return -Errno.EOPNOTSUPP;
        }
        seidEnabled = true;
        return 0;
    }

    /** @return 0; {@code -EOPNOTSUPP} on a machine without a system EID; {@code -ENOENT} if there would be no EID left */
    public int disableSeid() {
        if (!hasSeid()) {
            return -Errno.EOPNOTSUPP;
        }
        if (ueids.isEmpty()) {
            return -Errno.ENOENT;
        }
        seidEnabled = false;
        return 0;
    }

    /** As it is now. */
    public LocalEids snapshot() {
        return new LocalEids(ueids, seid, seidEnabled);
    }
}
