package org.smc4j.it.faults;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;

import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Hostname;
import org.smc4j.ism.Dmb;
import org.smc4j.ism.EmulatedIsm;

/** The sideband's messages as a peer makes them that is free to make them wrong; independent of the product's encoder. */
final class Wire {
    static final int PROPOSAL = 1;
    static final int ACCEPT = 2;
    static final int CONFIRM = 3;
    static final int DECLINE = 4;
    static final int READY = 5;
    static final int CHECK = 6;
    static final int STATUS = 7;
    static final int REPORT = 8;
    static final int HEADER = 54;
    static final int MAGIC = 0x534D4334;
    static final EmulatedIsm DEVICE = new EmulatedIsm();
    static final Gid GID = gid();
    static final Eid EID = Eid.ueid("SMC4J.DEFAULT");
    private static final int TUPLE = 36;

    private Wire() {
    }

    /** What came in, without its descriptors. */
    record Envelope(int type, long id, byte[] tuple, byte[] payload) {
        static Envelope of(ByteBuffer bytes) {
            bytes.getInt();
            bytes.get();
            int type = bytes.get();
            bytes.getShort();
            long id = bytes.getLong();
            byte[] tuple = new byte[TUPLE];
            bytes.get(tuple);
            byte[] payload = new byte[bytes.getShort() & 0xFFFF];
            bytes.get(payload);
            return new Envelope(type, id, tuple, payload);
        }

        ClcAcceptConfirmD answer() throws ClcException {
            return (ClcAcceptConfirmD) ClcCodec.decode(payload, 0, payload.length);
        }
    }

    static byte[] message(int type, long id, byte[] tuple, byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length).putInt(MAGIC).put((byte) 1).put((byte) type).putShort((short) 0)
                .putLong(id).put(tuple).putShort((short) payload.length).put(payload).array();
    }

    static byte[] proposal() {
        return ClcCodec.encode(ClcProposal.smcdV2(GID, DEVICE.chid(), List.of(EID)));
    }

    static byte[] answer(ClcType type, Dmb dmb) {
        return answer(type, GID, DEVICE.chid(), EID, dmb.token(), Dmb.sizeCode(dmb.size()));
    }

    static byte[] answer(ClcType type, Gid gid, int chid, Eid eid, long token, int sizeCode) {
        return ClcCodec.encode(ClcAcceptConfirmD.smcdV2(type, gid, chid, eid, token, sizeCode, 1,
                FirstContactExtension.smcd(Hostname.of("liar"), ClcMessage.FEATURE_EMULATED_ISM)));
    }

    /** The 4-tuple of a connection by its end at the client. */
    static byte[] tuple(Socket client) {
        return tuple((InetSocketAddress) client.getLocalSocketAddress(), (InetSocketAddress) client.getRemoteSocketAddress());
    }

    static byte[] tuple(InetSocketAddress client, InetSocketAddress server) {
        ByteBuffer tuple = ByteBuffer.allocate(TUPLE);
        for (InetSocketAddress each : List.of(client, server)) {
            byte[] address = each.getAddress().getAddress();
            if (address.length == 4) {
                tuple.putLong(0).putShort((short) 0).putShort((short) -1);
            }
            tuple.put(address).putShort((short) each.getPort());
        }
        return tuple.array();
    }

    /** The abstract name of a listener of this user on 127.0.0.1. */
    static String listener(int port) {
        return "smc4j/1/" + org.smc4j.ffi.linux.Linux.uid() + "/7f000001:" + port;
    }

    static String process(long pid) {
        return "smc4j/1/" + org.smc4j.ffi.linux.Linux.uid() + "/pid/" + pid;
    }

    private static Gid gid() {
        ByteBuffer bytes = ByteBuffer.wrap(DEVICE.gid());
        return new Gid(bytes.getLong(), bytes.getLong());
    }
}
