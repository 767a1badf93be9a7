package org.smc4j.nio;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.stream.SmcStream;
import sun.nio.ch.HandleTable;

/**
 * The sockets of this process as lines of tab-separated fields: state, role, local address, peer address, mode, reason code,
 * bytes sent and received over SMC, bytes over TCP.
 */
final class StatusLines {
    private final SmcSockets sockets;

    StatusLines(SmcSockets sockets) {
        this.sockets = sockets;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int fd = HandleTable.next(0); fd >= 0; fd = HandleTable.next(fd + 1)) {
            switch (HandleTable.get(fd)) {
                case SmcSocket socket -> lines.add(line(fd, socket));
                case ListenerHandle listener -> lines.add("LISTEN\t-\t" + text(SocketAddresses.local(fd)) + "\t*\t-\t-\t0\t0\t0\t0");
                case null, default -> {
                }
            }
        }
        return lines;
    }

    private static String line(int fd, SmcSocket socket) {
        SmcStream stream = socket.stream();
        boolean smc = stream != null && (socket.readState() == SmcSocket.SWITCHED || socket.writeState() == SmcSocket.SWITCHED);
        return state(socket, stream) + '\t' + (socket.isClient() ? "CLNT" : "SERV") + '\t'
                + text(SocketAddresses.local(fd)) + '\t' + text(SocketAddresses.remote(fd)) + '\t'
                + (smc ? "SMCD" : "TCP") + '\t' + (smc || socket.reasonCode() == SmcSocket.UNDECIDED ? "-" : reason(socket)) + '\t'
                + (stream == null ? 0 : stream.bytesSent()) + '\t' + (stream == null ? 0 : stream.bytesReceived()) + '\t'
                + socket.tcpBytesSent() + '\t' + socket.tcpBytesReceived();
    }

    private static String reason(SmcSocket socket) {
        ReasonCode code = ReasonCode.of(socket.reasonCode());
        return Statistics.hex(socket.reasonCode()) + (code == null ? "" : " " + code.words());
    }

    private static String state(SmcSocket socket, SmcStream stream) {
        boolean peerDone = stream != null && stream.peerFlags() != 0;
        if (socket.isOutputShut()) {
            return peerDone ? "APPLCLW2" : "PEERCLW1";
        }
        return peerDone ? "APPLCLW1" : "ACTIVE";
    }

    private static String text(SocketAddresses.Address address) {
        if (address == null) {
            return "-";
        }
        try {
            String host = java.net.InetAddress.getByAddress(address.bytes()).getHostAddress();
            return (address.bytes().length == 16 ? "[" + host + "]" : host) + ":" + address.port();
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
