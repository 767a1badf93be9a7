package org.smc4j.nio;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.smc4j.diag.SmcMode;
import org.smc4j.diag.SmcState;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.SocketStatus;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;
import sun.nio.ch.HandleTable;

/** Looks at the sockets of this process, each as it is at that moment. */
final class SocketStatuses {
    private static final int IPV6_LENGTH = 16;
    private static final String ZEROS = "(^|:)(0(:|$)){2,}";

    private SocketStatuses() {
    }

    static List<SocketStatus> sockets() {
        List<SocketStatus> result = new ArrayList<>();
        for (int fd = HandleTable.next(0); fd >= 0; fd = HandleTable.next(fd + 1)) {
            switch (HandleTable.get(fd)) {
                case SmcSocket socket -> result.add(connection(fd, socket));
                case ListenerHandle listener when listener.isListening() -> result.add(listener(fd));
                case null, default -> {
                }
            }
        }
        return result;
    }

    private static SocketStatus connection(int fd, SmcSocket socket) {
        SmcStream stream = socket.stream();
        // A connection that was attached and detached again, or has gone back to TCP, has both.
        boolean smc = stream != null && socket.reasonCode() == SmcSocket.UNDECIDED;
        SocketStatus.Role role = socket.isClient() ? SocketStatus.Role.CLIENT : SocketStatus.Role.SERVER;
        LinkPlace place = smc ? stream.place() : LinkPlace.NONE;
        boolean returned = stream != null && stream.hasReturnedToTcp();
        StreamCounts counts = stream == null ? StreamCounts.ZERO : stream.counts();
        long tcpSent = socket.tcpBytesSent() + (returned ? stream.bytesSent() - counts.txBytes() : 0);
        long tcpReceived = socket.tcpBytesReceived() + (returned ? stream.bytesReceived() - counts.rxBytes() : 0);
        return new SocketStatus(state(socket, stream), role, text(SocketAddresses.local(fd)),
                text(SocketAddresses.remote(fd)), smc ? stream.mode() : SmcMode.TCP, socket.reasonCode(), counts.txBytes(),
                counts.rxBytes(), tcpSent, tcpReceived, place.linkGroup(), place.link(), place.device(), place.port());
    }

    private static SocketStatus listener(int fd) {
        return new SocketStatus(SmcState.LISTEN, SocketStatus.Role.LISTENER, text(SocketAddresses.local(fd)), "*", null, 0,
                0, 0, 0, 0, 0, 0, "", 0);
    }

    private static SmcState state(SmcSocket socket, SmcStream stream) {
        boolean peerDone = stream != null && stream.peerFlags() != 0;
        if (socket.isOutputShut()) {
            return peerDone ? SmcState.APPCLOSEWAIT2 : SmcState.PEERCLOSEWAIT1;
        }
        return peerDone ? SmcState.APPCLOSEWAIT1 : SmcState.ACTIVE;
    }

    private static String text(SocketAddresses.Address address) {
        if (address == null) {
            return "-";
        }
        try {
            String host = InetAddress.getByAddress(address.bytes()).getHostAddress();
            return (address.bytes().length == IPV6_LENGTH ? "[" + host.replaceFirst(ZEROS, "::") + "]" : host) + ":"
                    + address.port();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
