package org.smc4j.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.smc4j.carrier.FourTuple;

/** Which processes of this host listen where. */
final class ListenerTable {
    private static final InetAddress ANY_IPV4 = any(4);
    private static final InetAddress ANY_IPV6 = any(16);

    private record Key(InetAddress address, int port) {
    }

    /** In the order in which they came; of several that share a port the first is asked. */
    private final Map<Key, List<Integer>> members = new HashMap<>();

    void add(InetAddress address, int port, int member) {
        members.computeIfAbsent(new Key(address, port), key -> new ArrayList<>()).add(member);
    }

    /** Once for each time it was added. */
    void remove(InetAddress address, int port, int member) {
        List<Integer> sharing = members.get(new Key(address, port));
        if (sharing != null && sharing.remove((Integer) member) && sharing.isEmpty()) {
            members.remove(new Key(address, port));
        }
    }

    void removeMember(int member) {
        Iterator<List<Integer>> all = members.values().iterator();
        while (all.hasNext()) {
            List<Integer> sharing = all.next();
            sharing.removeIf(each -> each == member);
            if (sharing.isEmpty()) {
                all.remove();
            }
        }
    }

    /** The process that accepts such a connection: the listener of the address itself, then of a wildcard; 0 if there is none. */
    int memberOf(FourTuple tuple) {
        InetAddress address = tuple.serverAddress();
        int member = first(address, tuple.serverPort());
        if (member == 0) {
            member = first(ANY_IPV6, tuple.serverPort());
        }
        return member == 0 && tuple.server().length == ANY_IPV4.getAddress().length ? first(ANY_IPV4, tuple.serverPort())
                : member;
    }

    private int first(InetAddress address, int port) {
        List<Integer> sharing = members.get(new Key(address, port));
        return sharing == null ? 0 : sharing.getFirst();
    }

    private static InetAddress any(int length) {
        try {
            return InetAddress.getByAddress(new byte[length]);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
