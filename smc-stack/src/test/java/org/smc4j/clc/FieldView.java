package org.smc4j.clc;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.smc4j.diag.ReasonCode;

/** A decoded message as rows named like those of the vector files, made from the record's components alone. */
final class FieldView {
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<ClcTechnologies, String> TECHNOLOGIES = Map.of(ClcTechnologies.SMCR, "R",
            ClcTechnologies.SMCD, "D", ClcTechnologies.NONE, "none", ClcTechnologies.BOTH, "R and D");
    private static final String[] OS = {"-", "z/OS", "Linux", "AIX"};

    private final List<Vectors.Field> rows = new ArrayList<>();

    private FieldView() {
    }

    /**
     * The rows of a message; those without an own meaning have null there. Structure (offsets, counts, reserved) is
     * left out.
     */
    static List<Vectors.Field> of(ClcMessage message) {
        FieldView view = new FieldView();
        switch (message) {
            case ClcProposal proposal -> view.proposal(proposal);
            case ClcAcceptConfirmD answer -> view.answerD(answer);
            case ClcAcceptConfirmR answer -> view.answerR(answer);
            case ClcDecline decline -> view.decline(decline);
        }
        return view.rows;
    }

    private void add(String name, int size, long value, String meaning) {
        rows.add(new Vectors.Field(0, HEX.toHexDigits(value, 2 * size), name, meaning));
    }

    private void add(String name, int size, long value) {
        add(name, size, value, null);
    }

    private void add(String name, Gid gid) {
        rows.add(new Vectors.Field(0, gid.toString(), name, null));
    }

    private void text(String name, String text) {
        StringBuilder hex = new StringBuilder();
        for (char c : text.toCharArray()) {
            hex.append(HEX.toHexDigits((byte) c));
        }
        String meaning = text.startsWith("\0") ? "''" : "'" + text + "'";
        rows.add(new Vectors.Field(0, hex + "20".repeat(32 - text.length()), name, meaning));
    }

    private void proposal(ClcProposal proposal) {
        add("version/typev2/typev1", 1,
                proposal.version() << 4 | proposal.typeV2().code() << 2 | proposal.typeV1().code(),
                "version " + proposal.version() + ", v2: " + TECHNOLOGIES.get(proposal.typeV2()) + ", v1: "
                        + TECHNOLOGIES.get(proposal.typeV1()));
        add("system id", 8, proposal.systemId().value());
        add("RoCE v1 GID", proposal.roceGid());
        add("port MAC", 6, proposal.mac().value());
        add("ISM GID (v1)", 8, proposal.ismV1().gid());
        add("ISM CHID (v1)", 2, proposal.ismV1().chid());
        IpArea area = proposal.ipArea();
        if (area != null) {
            add("IPv4 subnet", 4, area.ipv4Subnet());
            add("IPv4 prefix length", 1, area.ipv4PrefixLength(), Integer.toString(area.ipv4PrefixLength()));
            for (IpArea.Ipv6Prefix prefix : area.ipv6Prefixes()) {
                add("IPv6 prefix", new Gid(prefix.high(), prefix.low()));
                add("IPv6 prefix length", 1, prefix.length(), Integer.toString(prefix.length()));
            }
        }
        V2Extension extension = proposal.v2Extension();
        if (extension == null) {
            return;
        }
        add("release/SEID flag", 1, extension.release() << 4 | (extension.seidUsable() ? 1 : 0),
                "release " + extension.release() + ", SEID " + (extension.seidUsable() ? 1 : 0));
        add("RoCE v2 GID", extension.roceGid());
        add("max connections", 1, extension.maxConnections(), Integer.toString(extension.maxConnections()));
        add("max links", 1, extension.maxLinks(), Integer.toString(extension.maxLinks()));
        add("feature mask", 2, extension.featureMask());
        for (Eid ueid : extension.ueids()) {
            text("UEID", ueid.text());
        }
        if (extension.smcd() != null) {
            text("SEID", extension.smcd().seid().text());
            for (IsmEntry entry : extension.smcd().entries()) {
                add("ISM GID", 8, entry.gid());
                add("ISM CHID", 2, entry.chid());
            }
        }
    }

    private void answer(ClcAcceptConfirm answer, String technology, int code) {
        int first = answer.firstContact() ? 1 : 0;
        add("version/first contact/typev1", 1, answer.version() << 4 | first << 3 | code,
                "version " + answer.version() + ", first contact " + first + ", " + technology);
    }

    private void answerD(ClcAcceptConfirmD answer) {
        answer(answer, "D", 1);
        add("GID", 8, answer.gid());
        add("DMB token", 8, answer.dmbToken());
        add("DMBE index", 1, answer.dmbeIndex());
        add("DMBE size", 1, answer.sizeCode() << 4, "size code " + answer.sizeCode() + " = " + answer.bufferSize());
        add("link group id", 4, answer.linkGroupId() & 0xFFFFFFFFL);
        if (answer.v2() != null) {
            add("CHID", 2, answer.v2().chid());
            text("EID", answer.v2().eid().text());
            add("GID extension", 8, answer.v2().gidExtension());
            firstContact(answer.v2().firstContact());
        }
    }

    private void answerR(ClcAcceptConfirmR answer) {
        answer(answer, "R", 0);
        add("system id", 8, answer.systemId().value());
        add("link GID", answer.gid());
        add("port MAC", 6, answer.mac().value());
        add("QP number", 3, answer.qpNumber(), "0x" + Integer.toHexString(answer.qpNumber()));
        add("RMB rkey", 4, answer.rkey());
        add("RMBE index", 1, answer.rmbeIndex());
        add("alert token", 4, answer.alertToken());
        add("RMBE size/MTU", 1, answer.sizeCode() << 4 | answer.mtuCode(), "size code " + answer.sizeCode() + " = "
                + answer.bufferSize() + ", MTU code " + answer.mtuCode() + " = " + (128 << answer.mtuCode()));
        add("RMB address", 8, answer.rmbAddress());
        add("initial PSN", 3, answer.initialPsn(), "0x" + Integer.toHexString(answer.initialPsn()));
        if (answer.v2() != null) {
            text("EID", answer.v2().eid().text());
            firstContact(answer.v2().firstContact());
            for (Gid gid : answer.v2().gids()) {
                add("GID", gid);
            }
        }
    }

    private void firstContact(FirstContactExtension extension) {
        if (extension == null) {
            return;
        }
        add("FCE flags", 1, extension.v2Direct() ? 0x80 : 0, "v2 direct " + (extension.v2Direct() ? 1 : 0));
        add("OS/release", 1, extension.osType() << 4 | extension.release(),
                "OS " + extension.osType() + " " + OS[extension.osType()] + ", release " + extension.release());
        text("hostname", extension.hostname().text());
        add("max connections", 1, extension.maxConnections(), Integer.toString(extension.maxConnections()));
        add("max links", 1, extension.maxLinks(), Integer.toString(extension.maxLinks()));
        add("feature mask", 2, extension.featureMask());
    }

    private void decline(ClcDecline decline) {
        add("version/flags", 1, decline.version() << 4 | (decline.outOfSync() ? 8 : 0),
                "version " + decline.version() + (decline.outOfSync() ? ", out of sync" : ""));
        add("system id", 8, decline.systemId().value());
        add("diagnosis", 4, decline.diagnosis(),
                "0x" + Integer.toHexString(decline.diagnosis()) + " " + ReasonCode.of(decline.diagnosis()));
        add("OS", 1, decline.osType() << 4, "OS " + decline.osType() + " " + OS[decline.osType()]);
        for (int diagnosis : decline.additionalDiagnoses()) {
            add("additional diagnosis", 4, diagnosis);
        }
    }
}
