package org.smc4j.clc;

import java.util.ArrayList;
import java.util.List;

/** The areas of a Proposal between header and trailer (spec page 10, section 3). */
final class ProposalCodec {
    /** Header, system id, GID, MAC and IP area offset. IP area offsets count from here. */
    private static final int BASE_SIZE = 40;
    private static final int ANCHOR_SIZE = 40;
    /** Bytes of the anchor area after the CHID: v2 extension offset, vendor fields, reserved. */
    private static final int ANCHOR_REST = 30;
    /** Offsets of the v2 extension count from here. */
    private static final int V2_OFFSET_BASE = 52;
    private static final int IP_AREA_SIZE = 8;
    private static final int IPV6_PREFIX_SIZE = 17;
    /** The count of IPv6 prefixes is the last byte of the fixed part of the IP area. */
    private static final int PREFIX_COUNT_AT = 7;
    private static final int V2_FIXED_SIZE = 40;
    /** Offsets of the SMC-D v2 extension count from this byte of the v2 extension. */
    private static final int SMCD_OFFSET_BASE = 8;
    private static final int SMCD_FIXED_SIZE = 48;
    private static final int ISM_ENTRY_SIZE = 10;
    private static final int SEID_FLAG = 0x01;

    private ProposalCodec() {
    }

    static ClcProposal decode(ClcReader in, int version, ClcTechnologies typeV1, ClcTechnologies typeV2)
            throws ClcException {
        SystemId systemId = in.systemId();
        Gid roceGid = in.gid("RoCE v1 GID");
        Mac mac = in.mac();
        int ipOffset = in.u16("IP area offset");
        if (ipOffset > ANCHOR_SIZE) {
            throw new ClcException("IP area offset", "at most " + ANCHOR_SIZE, ipOffset);
        }
        requirePrefixCount(in, BASE_SIZE + ipOffset + PREFIX_COUNT_AT);
        ClcProposal proposal;
        if (version == ClcMessage.VERSION_1) {
            if (typeV1 == ClcTechnologies.NONE) {
                throw new ClcException("technologies", "something offered with version 1", "none");
            }
            IsmEntry anchor = null;
            if (ipOffset == ANCHOR_SIZE) {
                anchor = ismEntry(in);
                in.skip(ANCHOR_REST, "anchor area");
            } else {
                in.skip(ipOffset, "area before the IP area");
            }
            proposal = new ClcProposal(version, typeV1, typeV2, systemId, roceGid, mac, anchor, ipArea(in), null);
        } else {
            IsmEntry anchor = ismEntry(in);
            int v2Offset = in.u16("v2 extension offset");
            in.skip(ANCHOR_REST - 2, "anchor area");
            IpArea ipArea = null;
            if (typeV1 != ClcTechnologies.NONE) {
                if (ipOffset != ANCHOR_SIZE) {
                    throw new ClcException("IP area offset", ANCHOR_SIZE + " from version 2 on", ipOffset);
                }
                ipArea = ipArea(in);
            } else {
                requirePrefixCount(in, BASE_SIZE + PREFIX_COUNT_AT);
            }
            V2Extension extension = null;
            if (typeV2 != ClcTechnologies.NONE) {
                requireOffset("v2 extension offset", in.position() - V2_OFFSET_BASE, v2Offset);
                extension = v2Extension(in, typeV2.includesD());
            }
            proposal = new ClcProposal(version, typeV1, typeV2, systemId, roceGid, mac, anchor, ipArea, extension);
        }
        if (in.remaining() != 0) {
            throw new ClcException("length", "the sum of the areas, " + (in.position() + ClcCodec.TRAILER_SIZE),
                    in.position() + in.remaining() + ClcCodec.TRAILER_SIZE);
        }
        return proposal;
    }

    private static void requirePrefixCount(ClcReader in, int position) throws ClcException {
        int count = in.peekU8(position, "count of IPv6 prefixes");
        if (count > IpArea.MAX_IPV6_PREFIXES) {
            throw new ClcException("count of IPv6 prefixes", "at most " + IpArea.MAX_IPV6_PREFIXES, count);
        }
    }

    private static void requireOffset(String field, int expected, int found) throws ClcException {
        if (found != expected) {
            throw new ClcException(field, Integer.toString(expected), found);
        }
    }

    private static int count(String field, int max, int found) throws ClcException {
        if (found > max) {
            throw new ClcException(field, "at most " + max, found);
        }
        return found;
    }

    private static IsmEntry ismEntry(ClcReader in) throws ClcException {
        return new IsmEntry(in.i64("ISM GID"), in.u16("ISM CHID"));
    }

    private static IpArea ipArea(ClcReader in) throws ClcException {
        int subnet = in.i32("IPv4 subnet");
        int prefixLength = in.u8("IPv4 prefix length");
        in.skip(2, "reserved");
        int count = count("count of IPv6 prefixes", IpArea.MAX_IPV6_PREFIXES, in.u8("count of IPv6 prefixes"));
        List<IpArea.Ipv6Prefix> prefixes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Gid prefix = in.gid("IPv6 prefix");
            prefixes.add(new IpArea.Ipv6Prefix(prefix.high(), prefix.low(), in.u8("IPv6 prefix length")));
        }
        return new IpArea(subnet, prefixLength, prefixes);
    }

    private static V2Extension v2Extension(ClcReader in, boolean offersD) throws ClcException {
        int ueidCount = count("count of UEIDs", V2Extension.MAX_UEIDS, in.u8("count of UEIDs"));
        int entryCount = in.u8("count of ISM entries");
        in.skip(1, "reserved");
        int release = in.u8("release");
        in.skip(2, "reserved");
        int smcdOffset = in.u16("SMC-D extension offset");
        Gid roceGid = in.gid("RoCE v2 GID");
        int maxConnections = in.u8("max connections");
        int maxLinks = in.u8("max links");
        int featureMask = in.u16("feature mask");
        in.skip(12, "reserved");
        List<Eid> ueids = new ArrayList<>(ueidCount);
        for (int i = 0; i < ueidCount; i++) {
            ueids.add(in.eid("UEID"));
        }
        SmcdV2Extension smcd = null;
        if (offersD) {
            requireOffset("SMC-D extension offset", smcdOffset(ueidCount), smcdOffset);
            smcd = smcdExtension(in, count("count of ISM entries", SmcdV2Extension.MAX_ENTRIES, entryCount));
        }
        return new V2Extension(ueids, release >>> 4, (release & SEID_FLAG) != 0, roceGid, maxConnections, maxLinks,
                featureMask, smcd);
    }

    private static SmcdV2Extension smcdExtension(ClcReader in, int entryCount) throws ClcException {
        Eid seid = in.eid("SEID");
        in.skip(16, "reserved");
        List<IsmEntry> entries = new ArrayList<>(entryCount);
        for (int i = 0; i < entryCount; i++) {
            entries.add(ismEntry(in));
        }
        return new SmcdV2Extension(seid, entries);
    }

    private static int smcdOffset(int ueidCount) {
        return V2_FIXED_SIZE - SMCD_OFFSET_BASE + PaddedText.SIZE * ueidCount;
    }

    static int bodySize(ClcProposal proposal) {
        int size = BASE_SIZE - ClcCodec.HEADER_SIZE + ipAreaSize(proposal.ipArea());
        if (proposal.ismV1() != null) {
            size += ANCHOR_SIZE;
        }
        V2Extension extension = proposal.v2Extension();
        if (extension != null) {
            size += V2_FIXED_SIZE + PaddedText.SIZE * extension.ueids().size();
            if (extension.smcd() != null) {
                size += SMCD_FIXED_SIZE + ISM_ENTRY_SIZE * extension.smcd().entries().size();
            }
        }
        return size;
    }

    private static int ipAreaSize(IpArea area) {
        return area == null ? 0 : IP_AREA_SIZE + IPV6_PREFIX_SIZE * area.ipv6Prefixes().size();
    }

    static void encode(ClcProposal proposal, ClcWriter out) {
        IpArea area = proposal.ipArea();
        out.i64(proposal.systemId().value());
        out.gid(proposal.roceGid());
        out.mac(proposal.mac());
        out.u16(area == null || proposal.ismV1() == null ? 0 : ANCHOR_SIZE);
        if (proposal.ismV1() != null) {
            encode(proposal.ismV1(), out);
            out.u16(proposal.v2Extension() == null ? 0 : BASE_SIZE + ANCHOR_SIZE - V2_OFFSET_BASE + ipAreaSize(area));
            out.zeros(ANCHOR_REST - 2);
        }
        if (area != null) {
            encode(area, out);
        }
        if (proposal.v2Extension() != null) {
            encode(proposal.v2Extension(), out);
        }
    }

    private static void encode(IsmEntry entry, ClcWriter out) {
        out.i64(entry.gid());
        out.u16(entry.chid());
    }

    private static void encode(IpArea area, ClcWriter out) {
        out.i32(area.ipv4Subnet());
        out.u8(area.ipv4PrefixLength());
        out.zeros(2);
        out.u8(area.ipv6Prefixes().size());
        for (IpArea.Ipv6Prefix prefix : area.ipv6Prefixes()) {
            out.i64(prefix.high());
            out.i64(prefix.low());
            out.u8(prefix.length());
        }
    }

    private static void encode(V2Extension extension, ClcWriter out) {
        SmcdV2Extension smcd = extension.smcd();
        out.u8(extension.ueids().size());
        out.u8(smcd == null ? 0 : smcd.entries().size());
        out.zeros(1);
        out.u8(extension.release() << 4 | (extension.seidUsable() ? SEID_FLAG : 0));
        out.zeros(2);
        out.u16(smcd == null ? 0 : smcdOffset(extension.ueids().size()));
        out.gid(extension.roceGid());
        out.u8(extension.maxConnections());
        out.u8(extension.maxLinks());
        out.u16(extension.featureMask());
        out.zeros(12);
        for (Eid ueid : extension.ueids()) {
            out.text(ueid.text());
        }
        if (smcd != null) {
            out.text(smcd.seid().text());
            out.zeros(16);
            for (IsmEntry entry : smcd.entries()) {
                encode(entry, out);
            }
        }
    }
}
