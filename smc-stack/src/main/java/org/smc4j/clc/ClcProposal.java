package org.smc4j.clc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * The client's offer, the first message of the handshake (spec page 10, section 3).
 *
 * <p>{@code typeV1} and {@code typeV2} are the bits of the header; {@link #v1} and {@link #v2} are what they mean:
 * clients of version 1 leave typeV2 zero, which would read as an offer of SMC-R v2.
 *
 * @param version     1 to 15
 * @param typeV1      technologies offered with version 1; never NONE in version 1
 * @param typeV2      technologies offered with version 2
 * @param systemId    of the client, if it offers SMC-R v1
 * @param roceGid     RoCE v1 GID of the client, if it offers SMC-R v1
 * @param mac         of the client's RoCE port, if it offers SMC-R v1
 * @param ismV1       the ISM device usable with version 1; null if a version-1 client sent no anchor area (then no
 *                    SMC-D)
 * @param ipArea      the client's subnets; null exactly if nothing is offered with version 1
 * @param v2Extension null exactly if nothing is offered with version 2
 */
public record ClcProposal(int version, ClcTechnologies typeV1, ClcTechnologies typeV2, SystemId systemId, Gid roceGid,
                          Mac mac, IsmEntry ismV1, IpArea ipArea, V2Extension v2Extension) implements ClcMessage {
    /**
     * In a Proposal without IP area Linux still reads the low byte of the anchor GID as the area's count of prefixes.
     */
    static final int MAX_LOW_GID_BYTE = IpArea.MAX_IPV6_PREFIXES;

    public ClcProposal {
        Checks.range("version", version, VERSION_1, Checks.NIBBLE);
        Checks.that(typeV1 != null && typeV2 != null && systemId != null && roceGid != null && mac != null,
                "field missing: use the NONE of its type");
        boolean offersV1 = typeV1 != ClcTechnologies.NONE;
        boolean offersV2 = version > VERSION_1 && typeV2 != ClcTechnologies.NONE;
        Checks.that(version > VERSION_1 || offersV1, "a version-1 Proposal must offer something");
        Checks.that(version == VERSION_1 || ismV1 != null, "anchor area missing: use IsmEntry.NONE");
        Checks.that(offersV1 == (ipArea != null), "IP area: present exactly if something is offered with version 1");
        Checks.that(offersV2 == (v2Extension != null),
                "v2 extension: present exactly if something is offered with version 2");
        Checks.that(!offersV2 || typeV2.includesD() == (v2Extension.smcd() != null),
                "SMC-D v2 extension: present exactly if SMC-D v2 is offered");
        Checks.that(offersV1 || (ismV1.gid() & 0xFF) <= MAX_LOW_GID_BYTE,
                "low byte of the ISM GID would be read as a count");
    }

    /**
     * The offer of one Emulated-ISM device: SMC-D v2.1 and nothing else.
     *
     * @param gid   the device's UUID
     * @param chid  0xFF00 to 0xFFFF
     * @param ueids 1 to 8, in order of preference
     */
    public static ClcProposal smcdV2(Gid gid, int chid, List<Eid> ueids) {
        Checks.range("Emulated-ISM CHID", chid, EMULATED_CHID_MIN, Checks.U16);
        List<IsmEntry> entries = List.of(new IsmEntry(gid.high(), chid), new IsmEntry(gid.low(), chid));
        V2Extension extension = new V2Extension(ueids, RELEASE_1, false, Gid.NONE, 0, 0, FEATURE_EMULATED_ISM,
                new SmcdV2Extension(Eid.NONE, entries));
        return new ClcProposal(VERSION_2, ClcTechnologies.NONE, ClcTechnologies.SMCD, SystemId.NONE, Gid.NONE, Mac.NONE,
                IsmEntry.NONE, null, extension);
    }

    @Override
    public ClcType type() {
        return ClcType.PROPOSAL;
    }

    /** What is offered with version 1. */
    public ClcTechnologies v1() {
        return typeV1;
    }

    /** What is offered with version 2: nothing by a version-1 client, whatever its header bits say. */
    public ClcTechnologies v2() {
        return version > VERSION_1 ? typeV2 : ClcTechnologies.NONE;
    }
}
