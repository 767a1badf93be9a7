package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IpArea;
import org.smc4j.clc.IsmEntry;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SmcdV2Extension;
import org.smc4j.clc.SystemId;
import org.smc4j.clc.V2Extension;
import org.smc4j.diag.ReasonCode;

/**
 * What a client proposes for a connection, and the devices that stand behind it (spec/10-clc.md §3 and §8).
 *
 * @param ismV1  the device of the anchor area; null if SMC-D v1 is not offered
 * @param ismV2  the devices offered with SMC-D v2 beside that one, in the order of their entries
 * @param portV1 null if SMC-R v1 is not offered
 * @param portV2 null if SMC-R v2 is not offered
 */
record Offer(LocalAbilities abilities, ConnectionFacts connection, ClcProposal proposal, LocalIsm ismV1, List<LocalIsm> ismV2,
             PortGid portV1, PortGid portV2) {
    private static final int ENTRIES_OF_EMULATED = 2;

    /** @throws DeclineException if there is nothing to offer */
    static Offer of(LocalAbilities abilities, ConnectionFacts connection) throws DeclineException {
        if (connection.localInterface() == null && !abilities.isIsmV2Capable()) {
            throw new DeclineException(ReasonCode.GETVLANERR);
        }
        LocalIsm ismV1 = ismV1(abilities, connection);
        PortGid portV1 = abilities.has(Technology.SMCR_V1) ? PortChoice.v1(abilities, connection) : null;
        IpArea ipArea = IpAreas.of(connection);
        boolean noAddress = ipArea == null && (ismV1 != null || portV1 != null);
        if (noAddress) {
            ismV1 = null;
            portV1 = null;
        }
        List<LocalIsm> ismV2 = abilities.isIsmV2Capable() ? ismV2(abilities, ismV1) : List.of();
        boolean smcdV2 = abilities.isIsmV2Capable() && (!ismV2.isEmpty() || ismV1 != null && ismV1.chid() != 0);
        PortGid portV2 = abilities.has(Technology.SMCR_V2) && connection.isIpv4() && !abilities.eids().ueids().isEmpty()
                ? PortChoice.v2(abilities, connection) : null;
        ClcTechnologies typeV1 = technologies(ismV1 != null, portV1 != null);
        ClcTechnologies typeV2 = technologies(smcdV2, portV2 != null);
        if (typeV1 == ClcTechnologies.NONE && typeV2 == ClcTechnologies.NONE) {
            throw new DeclineException(noAddress ? ReasonCode.CNFERR : ReasonCode.NOSMCDEV);
        }
        V2Extension extension = typeV2 == ClcTechnologies.NONE ? null : extension(abilities, smcdV2, ismV2, portV2);
        // The kernel leaves it out where only version 2 is offered. Here a host has as many systems as JVMs, which share its GIDs: a
        // server that could not tell them apart would answer one of them with the link group of another.
        SystemId systemId = portV1 == null && portV2 == null ? SystemId.NONE : abilities.systemId();
        ClcProposal proposal = new ClcProposal(ClcMessage.VERSION_2, typeV1, typeV2, systemId, portV1 == null ? Gid.NONE : portV1.gid(),
                portV1 == null ? Mac.NONE : portV1.mac(), anchor(ismV1), typeV1 == ClcTechnologies.NONE ? null : ipArea,
                extension);
        return new Offer(abilities, connection, proposal, ismV1, ismV2, portV1, portV2);
    }

    /** The first device in the physical network of the connection; over a VLAN only if it can register that. */
    private static LocalIsm ismV1(LocalAbilities abilities, ConnectionFacts connection) {
        if (abilities.has(Technology.SMCD_V1) && connection.pnetId().isSet()) {
            for (LocalIsm device : abilities.ismDevices()) {
                if (device.isUsableWithV1() && device.pnetId().equals(connection.pnetId())) {
                    return connection.vlan() == 0 || device.vlanCapable() ? device : null;
                }
            }
        }
        return null;
    }

    private static List<LocalIsm> ismV2(LocalAbilities abilities, LocalIsm ismV1) {
        List<LocalIsm> devices = new ArrayList<>();
        Set<Integer> chids = new HashSet<>();
        if (ismV1 != null) {
            chids.add(ismV1.chid());
        }
        int entries = 0;
        for (LocalIsm device : abilities.ismDevices()) {
            int needed = device.isEmulated() ? ENTRIES_OF_EMULATED : 1;
            boolean reachable = !device.pnetId().isSet() || abilities.activeNetworks().contains(device.pnetId());
            if (device.v2Capable() && reachable && entries + needed <= SmcdV2Extension.MAX_ENTRIES && chids.add(device.chid())) {
                devices.add(device);
                entries += needed;
            }
        }
        return devices;
    }

    private static IsmEntry anchor(LocalIsm device) {
        return device == null ? IsmEntry.NONE : new IsmEntry(device.gid().high(), device.chid());
    }

    private static V2Extension extension(LocalAbilities abilities, boolean smcdV2, List<LocalIsm> ismV2, PortGid portV2) {
        LocalEids eids = abilities.eids();
        SmcdV2Extension smcd = null;
        if (smcdV2) {
            List<IsmEntry> entries = new ArrayList<>();
            for (LocalIsm device : ismV2) {
                entries.add(new IsmEntry(device.gid().high(), device.chid()));
                if (device.isEmulated()) {
                    entries.add(new IsmEntry(device.gid().low(), device.chid()));
                }
            }
            smcd = new SmcdV2Extension(eids.seidEnabled() ? eids.seid() : Eid.NONE, entries);
        }
        return new V2Extension(eids.ueids(), abilities.release(), smcdV2 && eids.seidEnabled(),
                portV2 == null ? Gid.NONE : portV2.gid(), portV2 == null ? 0 : abilities.maxConnections(),
                portV2 == null ? 0 : abilities.maxLinks(), abilities.featureMask(), smcd);
    }

    private static ClcTechnologies technologies(boolean smcd, boolean smcr) {
        if (smcd) {
            return smcr ? ClcTechnologies.BOTH : ClcTechnologies.SMCD;
        }
        return smcr ? ClcTechnologies.SMCR : ClcTechnologies.NONE;
    }

    /** The device that was offered with SMC-D v2 under this CHID; null if none was. */
    LocalIsm deviceOffered(int chid) {
        if (ismV1 != null && ismV1.chid() == chid) {
            return ismV1;
        }
        for (LocalIsm device : ismV2) {
            if (device.chid() == chid) {
                return device;
            }
        }
        return null;
    }

    /** Whether SMC-D is offered in version 2 and not in version 1. */
    boolean isSmcdV2Only() {
        return proposal.v2().includesD() && !proposal.v1().includesD();
    }
}
