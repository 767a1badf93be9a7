package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import org.smc4j.roce.Completions;

/**
 * The receiving half of a queue pair: checks each packet, says where its bytes go, and completes receives. A packet that was
 * accepted is followed by its bytes, then by {@link #finish}. All under the queue pair's receive lock.
 */
final class Responder {
    // What accept() says; a positive verdict is the status with which the request fails at the sender.
    /** The packet's bytes are to be placed. */
    static final int ACCEPTED = 0;
    /** It was taken before: acknowledge again. */
    static final int DUPLICATE = -1;
    /** One before it is missing. */
    static final int GAP = -2;
    /** A message for which no receive is posted. */
    static final int NOT_READY = -3;

    private final SoftwareProtectionDomain domain;
    private final ReceiveQueue receives;
    private int expectedPsn;
    // The request that is under way: no opcode if none.
    private int opcode;
    private Region target;
    private long address;
    private int requestLength;
    private int left;

    Responder(SoftwareProtectionDomain domain, ReceiveQueue receives) {
        this.domain = domain;
        this.receives = receives;
    }

    /** The PSN of the first packet. */
    void begin(int initialPsn) {
        expectedPsn = initialPsn;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    /** Whether no request is under way. */
    boolean isIdle() {
        return opcode == 0;
    }

    /** Checks a packet; receives that cannot take it complete with the reason. */
    int accept(Packet packet) {
        int distance = Psn.distance(expectedPsn, packet.psn);
        if (distance != 0) {
            return distance < 0 ? DUPLICATE : GAP;
        }
        if (packet.first != (opcode == 0)) {
            return Completions.REMOTE_INVALID_REQUEST;
        }
        if (packet.first) {
            int verdict = packet.opcode == Packet.WRITE ? beginWrite(packet) : beginSend(packet);
            if (verdict != ACCEPTED) {
                return verdict;
            }
            opcode = packet.opcode;
            requestLength = packet.requestLength;
            left = packet.requestLength;
        }
        boolean fits = packet.length <= left && packet.last == (packet.length == left);
        return fits && packet.opcode == opcode ? ACCEPTED : Completions.REMOTE_INVALID_REQUEST;
    }

    private int beginWrite(Packet packet) {
        target = domain.findRemote(packet.rkey, packet.remoteAddress, packet.requestLength);
        address = packet.remoteAddress;
        return target == null ? Completions.REMOTE_ACCESS_ERROR : ACCEPTED;
    }

    private int beginSend(Packet packet) {
        if (receives.isEmpty()) {
            return NOT_READY;
        }
        if (packet.requestLength > receives.length()) {
            receives.complete(Completions.LOCAL_LENGTH_ERROR, 0, false);
            return Completions.REMOTE_INVALID_REQUEST;
        }
        target = domain.enterLocal(receives.lkey(), receives.address(), receives.length());
        if (target == null) {
            receives.complete(Completions.LOCAL_PROTECTION_ERROR, 0, false);
            return Completions.REMOTE_OPERATION_ERROR;
        }
        target.leave();
        address = receives.address();
        return ACCEPTED;
    }

    /** The address of the next byte of the accepted packet, for whoever has entered {@link #target}. */
    long address() {
        return address;
    }

    Region target() {
        return target;
    }

    /** Bytes were put at {@link #address}. */
    void placed(int length) {
        address += length;
        left -= length;
    }

    /** Places bytes of the accepted packet. False if its memory is not registered any more: see {@link #lost}. */
    boolean place(MemorySegment from, long offset, int length) {
        if (!target.enter()) {
            return false;
        }
        MemorySegment.copy(from, offset, target.memory(), address - target.memory().address(), length);
        target.leave();
        placed(length);
        return true;
    }

    /** The memory of the request under way is gone: the verdict on it. */
    int lost() {
        if (opcode == Packet.WRITE) {
            return Completions.REMOTE_ACCESS_ERROR;
        }
        receives.complete(Completions.LOCAL_PROTECTION_ERROR, 0, false);
        return Completions.REMOTE_OPERATION_ERROR;
    }

    /** All bytes of the accepted packet are placed. */
    void finish(Packet packet) {
        expectedPsn = Psn.next(expectedPsn);
        if (!packet.last) {
            return;
        }
        if (opcode == Packet.SEND) {
            receives.complete(Completions.SUCCESS, requestLength, packet.solicited);
        }
        opcode = 0;
        target = null;
    }
}
