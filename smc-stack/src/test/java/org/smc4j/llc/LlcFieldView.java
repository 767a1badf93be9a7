package org.smc4j.llc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.smc4j.clc.Gid;
import org.smc4j.wire.FieldRows;

/** A decoded message as rows named like those of the vector files, made from the record's components alone. */
final class LlcFieldView {
    private static final Map<Integer, String> REASONS = Map.of(DeleteLink.DONE, "done", DeleteLink.LOST_PATH, "lost path",
            DeleteLink.OPERATOR_INITIATED, "operator initiated", DeleteLink.PROGRAM_INITIATED, "program initiated",
            DeleteLink.ASYMMETRIC_NOT_NEEDED, "asymmetric link no longer needed", DeleteLink.UNKNOWN_LINK_ID, "unknown link id");

    private final FieldRows rows = new FieldRows();

    private LlcFieldView() {
    }

    /** The rows of a message; structure (type, length, count of GIDs, reserved) is left out. */
    static FieldRows of(LlcMessage message) {
        LlcFieldView view = new LlcFieldView();
        switch (message) {
            case ConfirmLink confirm -> view.confirmLink(confirm);
            case AddLink add -> view.addLink(add);
            case AddLinkContinue more -> view.addLinkContinue(more);
            case DeleteLink delete -> view.deleteLink(delete);
            case RequestAddLink request -> view.requestAddLink(request);
            case ConfirmRkey confirm -> view.confirmRkey(confirm);
            case TestLink test -> view.testLink(test);
            case DeleteRkey delete -> view.deleteRkey(delete);
            case ConfirmRkeyContinue more -> throw new AssertionError("never captured: " + more);
        }
        return view.rows;
    }

    /** Reject reason (version 1 only) and flags. */
    private void header(LlcMessage message, int rejectReason, int flags, List<String> names) {
        if (message.version() == LlcMessage.VERSION_1) {
            rows.add("reject reason", 1, rejectReason, rejectReason + (rejectReason == 1 ? " no alternate path" : ""));
        }
        List<String> all = new ArrayList<>();
        if (message.response()) {
            all.add("response");
        }
        all.addAll(names);
        rows.add("flags", 1, flags | (message.response() ? 0x80 : 0), all.isEmpty() ? "-" : String.join(" ", all));
    }

    private void header(LlcMessage message) {
        header(message, 0, 0, List.of());
    }

    private void confirmLink(ConfirmLink confirm) {
        header(confirm, 0, confirm.noEyecatcher() ? 3 : 0,
                confirm.noEyecatcher() ? List.of("no eyecatcher (2)", "no eyecatcher (1)") : List.of());
        rows.add("MAC", 6, confirm.mac().value());
        rows.add("GID", confirm.gid());
        rows.hex("QP number", 3, confirm.qpNumber());
        rows.number("link number", 1, confirm.linkNumber());
        rows.add("link uid", 4, confirm.linkUid());
        rows.number("max links", 1, confirm.maxLinks());
        rows.number("max connections", 1, confirm.maxConnections());
    }

    private void addLink(AddLink add) {
        header(add, add.rejectReason(), add.rejected() ? 0x40 : 0, add.rejected() ? List.of("rejected") : List.of());
        rows.add("MAC", 6, add.mac().value());
        rows.add("GID", add.gid());
        rows.hex("QP number", 3, add.qpNumber());
        rows.number("link number", 1, add.linkNumber());
        int code = add.mtuCode();
        rows.add("MTU", 1, code, code == 0 ? "0" : "MTU code " + code + " = " + (128 << code));
        rows.hex("initial PSN", 3, add.initialPsn());
        AddLink.Extension extension = add.extension();
        if (extension != null) {
            rows.add("extension flags", 1, extension.v2Direct() ? 0x80 : 0, "v2 direct " + (extension.v2Direct() ? 1 : 0));
            rows.add("client target GID", extension.clientGid());
            rows.add("count of rkeys", 2, extension.rkeyCount() << 8, Integer.toString(extension.rkeyCount()));
            extension.rkeys().forEach(this::rkeyOnNewLink);
        }
    }

    private void rkeyOnNewLink(RkeyOnNewLink rkey) {
        rows.hex("rkey on existing link", 4, rkey.existingRkey());
        rows.hex("rkey on new link", 4, rkey.newRkey());
        rows.hex("address on new link", 8, rkey.newAddress());
    }

    private void addLinkContinue(AddLinkContinue more) {
        header(more);
        rows.number("link number", 1, more.linkNumber());
        rows.number("count of rkeys", 1, more.rkeyCount());
        for (int i = 0; i < AddLinkContinue.MAX_RKEYS; i++) {
            rkeyOnNewLink(i < more.rkeys().size() ? more.rkeys().get(i) : new RkeyOnNewLink(0, 0, 0));
        }
    }

    private void deleteLink(DeleteLink delete) {
        List<String> flags = new ArrayList<>();
        if (delete.all()) {
            flags.add("all");
        }
        if (delete.orderly()) {
            flags.add("orderly");
        }
        header(delete, 0, (delete.all() ? 0x40 : 0) | (delete.orderly() ? 0x20 : 0), flags);
        rows.number("link number", 1, delete.linkNumber());
        rows.add("reason", 4, delete.reason(),
                "0x" + Integer.toHexString(delete.reason()) + " " + REASONS.get(delete.reason()));
    }

    private void requestAddLink(RequestAddLink request) {
        header(request);
        request.gids().forEach(gid -> rows.add("GID", gid));
    }

    private void confirmRkey(ConfirmRkey confirm) {
        header(confirm);
        rows.number("count of additional rtokens", 1, confirm.additionalCount());
        rows.hex("rkey", 4, confirm.rkey());
        rows.hex("address", 8, confirm.address());
        for (int i = 0; i < ConfirmRkey.MAX_ADDITIONAL; i++) {
            ConfirmRkey.RkeyOnLink other = i < confirm.additional().size() ? confirm.additional().get(i)
                    : new ConfirmRkey.RkeyOnLink(0, 0, 0);
            rows.number("link number", 1, other.linkNumber());
            rows.hex("rkey on that link", 4, other.rkey());
            rows.hex("address on that link", 8, other.address());
        }
    }

    private void testLink(TestLink test) {
        header(test);
        rows.add("user data", new Gid(test.dataHigh(), test.dataLow()));
    }

    private void deleteRkey(DeleteRkey delete) {
        header(delete);
        boolean version1 = delete.version() == LlcMessage.VERSION_1;
        rows.number("count of rkeys", 1, delete.rkeyCount());
        rows.number(version1 ? "error mask" : "count of invalid rkeys", 1, delete.errors());
        for (int i = 0; i < (version1 ? DeleteRkey.MAX_RKEYS_V1 : 9); i++) {
            rows.hex("rkey", 4, i < delete.rkeys().size() ? delete.rkeys().get(i) : 0);
        }
    }
}
