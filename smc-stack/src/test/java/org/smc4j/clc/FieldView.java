package org.smc4j.clc;

import java.util.Map;

import org.smc4j.diag.ReasonCode;
import org.smc4j.wire.FieldRows;

/** A decoded message as rows named like those of the vector files, made from the record's components alone. */
final class FieldView {
    private static final Map<ClcTechnologies, String> TECHNOLOGIES = Map.of(ClcTechnologies.SMCR, "R",
            ClcTechnologies.SMCD, "D", ClcTechnologies.NONE, "none", ClcTechnologies.BOTH, "R and D");
    private static final String[] OS = {"-", "z/OS", "Linux", "AIX"};

    private final FieldRows rows = new FieldRows();

    private FieldView() {
    }

    /**
     * The rows of a message; those without an own meaning have null there. Structure (offsets, counts, reserved) is
     * left out.
     */
    static FieldRows of(ClcMessage message) {
        FieldView view = new FieldView();
        switch (message) {
            case ClcProposal proposal -> view.proposal(proposal);
            case ClcAcceptConfirmD answer -> view.answerD(answer);
            case ClcAcceptConfirmR answer -> view.answerR(answer);
            case ClcDecline decline -> view.decline(decline);
        }
        return view.rows;
    }

    private void proposal(ClcProposal proposal) {
        rows.add("version/typev2/typev1", 1,
                proposal.version() << 4 | proposal.typeV2().code() << 2 | proposal.typeV1().code(),
                "version " + proposal.version() + ", v2: " + TECHNOLOGIES.get(proposal.typeV2()) + ", v1: "
                        + TECHNOLOGIES.get(proposal.typeV1()));
        rows.add("system id", 8, proposal.systemId().value());
        rows.add("RoCE v1 GID", proposal.roceGid());
        rows.add("port MAC", 6, proposal.mac().value());
        rows.add("ISM GID (v1)", 8, proposal.ismV1().gid());
        rows.add("ISM CHID (v1)", 2, proposal.ismV1().chid());
        IpArea area = proposal.ipArea();
        if (area != null) {
            rows.add("IPv4 subnet", 4, area.ipv4Subnet());
            rows.number("IPv4 prefix length", 1, area.ipv4PrefixLength());
            for (IpArea.Ipv6Prefix prefix : area.ipv6Prefixes()) {
                rows.add("IPv6 prefix", new Gid(prefix.high(), prefix.low()));
                rows.number("IPv6 prefix length", 1, prefix.length());
            }
        }
        V2Extension extension = proposal.v2Extension();
        if (extension == null) {
            return;
        }
        rows.add("release/SEID flag", 1, extension.release() << 4 | (extension.seidUsable() ? 1 : 0),
                "release " + extension.release() + ", SEID " + (extension.seidUsable() ? 1 : 0));
        rows.add("RoCE v2 GID", extension.roceGid());
        rows.number("max connections", 1, extension.maxConnections());
        rows.number("max links", 1, extension.maxLinks());
        rows.add("feature mask", 2, extension.featureMask());
        for (Eid ueid : extension.ueids()) {
            rows.text("UEID", ueid.text());
        }
        if (extension.smcd() != null) {
            rows.text("SEID", extension.smcd().seid().text());
            for (IsmEntry entry : extension.smcd().entries()) {
                rows.add("ISM GID", 8, entry.gid());
                rows.add("ISM CHID", 2, entry.chid());
            }
        }
    }

    private void answer(ClcAcceptConfirm answer, String technology, int code) {
        int first = answer.firstContact() ? 1 : 0;
        rows.add("version/first contact/typev1", 1, answer.version() << 4 | first << 3 | code,
                "version " + answer.version() + ", first contact " + first + ", " + technology);
    }

    private void answerD(ClcAcceptConfirmD answer) {
        answer(answer, "D", 1);
        rows.add("GID", 8, answer.gid());
        rows.add("DMB token", 8, answer.dmbToken());
        rows.add("DMBE index", 1, answer.dmbeIndex());
        rows.add("DMBE size", 1, answer.sizeCode() << 4, "size code " + answer.sizeCode() + " = " + answer.bufferSize());
        rows.add("link group id", 4, answer.linkGroupId() & 0xFFFFFFFFL);
        if (answer.v2() != null) {
            rows.add("CHID", 2, answer.v2().chid());
            rows.text("EID", answer.v2().eid().text());
            rows.add("GID extension", 8, answer.v2().gidExtension());
            firstContact(answer.v2().firstContact());
        }
    }

    private void answerR(ClcAcceptConfirmR answer) {
        answer(answer, "R", 0);
        rows.add("system id", 8, answer.systemId().value());
        rows.add("link GID", answer.gid());
        rows.add("port MAC", 6, answer.mac().value());
        rows.hex("QP number", 3, answer.qpNumber());
        rows.add("RMB rkey", 4, answer.rkey());
        rows.add("RMBE index", 1, answer.rmbeIndex());
        rows.add("alert token", 4, answer.alertToken());
        rows.add("RMBE size/MTU", 1, answer.sizeCode() << 4 | answer.mtuCode(), "size code " + answer.sizeCode() + " = "
                + answer.bufferSize() + ", MTU code " + answer.mtuCode() + " = " + (128 << answer.mtuCode()));
        rows.add("RMB address", 8, answer.rmbAddress());
        rows.hex("initial PSN", 3, answer.initialPsn());
        if (answer.v2() != null) {
            rows.text("EID", answer.v2().eid().text());
            firstContact(answer.v2().firstContact());
            for (Gid gid : answer.v2().gids()) {
                rows.add("GID", gid);
            }
        }
    }

    private void firstContact(FirstContactExtension extension) {
        if (extension == null) {
            return;
        }
        rows.add("FCE flags", 1, extension.v2Direct() ? 0x80 : 0, "v2 direct " + (extension.v2Direct() ? 1 : 0));
        rows.add("OS/release", 1, extension.osType() << 4 | extension.release(),
                "OS " + extension.osType() + " " + OS[extension.osType()] + ", release " + extension.release());
        rows.text("hostname", extension.hostname().text());
        rows.number("max connections", 1, extension.maxConnections());
        rows.number("max links", 1, extension.maxLinks());
        rows.add("feature mask", 2, extension.featureMask());
    }

    private void decline(ClcDecline decline) {
        rows.add("version/flags", 1, decline.version() << 4 | (decline.outOfSync() ? 8 : 0),
                "version " + decline.version() + (decline.outOfSync() ? ", out of sync" : ""));
        rows.add("system id", 8, decline.systemId().value());
        rows.add("diagnosis", 4, decline.diagnosis(),
                "0x" + Integer.toHexString(decline.diagnosis()) + " " + ReasonCode.of(decline.diagnosis()));
        rows.add("OS", 1, decline.osType() << 4, "OS " + decline.osType() + " " + OS[decline.osType()]);
        for (int diagnosis : decline.additionalDiagnoses()) {
            rows.add("additional diagnosis", 4, diagnosis);
        }
    }
}
