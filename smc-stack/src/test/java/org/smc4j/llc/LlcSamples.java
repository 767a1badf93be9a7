package org.smc4j.llc;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

/** Messages of every shape, with the smallest and largest numbers and lists that there may be. */
final class LlcSamples {
    static final Gid GID = new Gid(0x1011121314151617L, 0x18191a1b1c1d1e1fL);
    static final Mac MAC = new Mac(0xc2f4f986fb46L);

    private LlcSamples() {
    }

    static List<RkeyOnNewLink> rkeys(int count) {
        return IntStream.range(0, count).mapToObj(i -> new RkeyOnNewLink(i, -i, Long.MIN_VALUE + i)).toList();
    }

    /** A request of version 2 that lists receive buffers. */
    static AddLink addLink(int counted, int listed) {
        return new AddLink(2, false, false, 0, MAC, GID, 0x11, 2, 5, 0xFFFFFF,
                new AddLink.Extension(true, GID, counted, rkeys(listed)));
    }

    static AddLink addLinkV1(boolean response, boolean rejected, int rejectReason) {
        return new AddLink(1, response, rejected, rejectReason, MAC, GID, 0xFFFFFF, 255, 15, 0, null);
    }

    static ConfirmRkey confirmRkey(int version, int additional) {
        return ConfirmRkey.request(version, -1, Long.MIN_VALUE, Collections.nCopies(additional,
                new ConfirmRkey.RkeyOnLink(255, Integer.MIN_VALUE, -2)));
    }

    static DeleteRkey deleteRkey(int version, int count) {
        return DeleteRkey.request(version, IntStream.range(0, count).mapToObj(i -> -1 - i).toList());
    }

    static RequestAddLink requestAddLink(int count) {
        return new RequestAddLink(false, IntStream.range(0, count).mapToObj(i -> new Gid(~i, i)).toList());
    }

    /** One of each shape. */
    static List<LlcMessage> all() {
        return List.of(
                new ConfirmLink(1, false, true, MAC, GID, 0xFFFFFF, 255, -1, 2, 0),
                new ConfirmLink(2, true, false, Mac.NONE, Gid.NONE, 0, 0, Integer.MIN_VALUE, 255, 255),
                addLinkV1(false, false, 0), addLinkV1(true, false, 0), addLinkV1(true, true, AddLink.NO_ALTERNATE_PATH),
                addLinkV1(true, true, 15), new AddLink(1, false, false, 0, MAC, GID, 0, 0, 0, 0, null),
                addLink(0, 0), addLink(1, 1), addLink(3, 1), addLink(255, 0), addLink(255, 255), addLink(1, 1).rejection(),
                new AddLink(2, true, false, 0, MAC, GID, 1, 1, 1, 1, new AddLink.Extension(false, Gid.NONE, 2, rkeys(2))),
                new AddLink(2, false, false, 0, MAC, GID, 0, 0, 0, 0, null),
                new AddLinkContinue(false, 255, 0, rkeys(0)), new AddLinkContinue(true, 0, 1, rkeys(1)),
                new AddLinkContinue(false, 1, 2, rkeys(2)), new AddLinkContinue(true, 1, 255, rkeys(2)),
                new DeleteLink(1, false, true, false, 0, DeleteLink.OPERATOR_INITIATED),
                new DeleteLink(2, false, false, true, 255, DeleteLink.LOST_PATH),
                new DeleteLink(2, true, true, true, 1, -1),
                requestAddLink(0), requestAddLink(1), requestAddLink(2), requestAddLink(255), requestAddLink(1).answer(),
                confirmRkey(1, 0), confirmRkey(2, 1), confirmRkey(2, 2), confirmRkey(1, 2).answer(true),
                confirmRkey(2, 2).answer(false), new ConfirmRkey(2, true, true, false, 0, 0, 255, confirmRkey(2, 2).additional()),
                new ConfirmRkeyContinue(false), new ConfirmRkeyContinue(true),
                TestLink.request(1), new TestLink(2, false, Long.MIN_VALUE, -1), new TestLink(2, true, 1, 2),
                deleteRkey(1, 0), deleteRkey(1, 8), deleteRkey(2, 0), deleteRkey(2, 9), deleteRkey(2, 10), deleteRkey(2, 255),
                new DeleteRkey(1, true, true, 8, 0xFF, deleteRkey(1, 8).rkeys()),
                new DeleteRkey(2, true, true, 255, 255, List.of()));
    }
}
