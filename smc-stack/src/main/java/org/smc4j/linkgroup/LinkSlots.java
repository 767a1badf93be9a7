package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The places for links in a group of SMC-R, and the rules by which one of the links is chosen. */
final class LinkSlots {
    /** Two links, and a third one while an asymmetric link is replaced. */
    static final int COUNT = 3;
    /** There is no free place, or none that may be taken. */
    static final int NONE = -1;

    private final Link[] links = new Link[COUNT];

    void put(Link link) {
        links[link.place()] = link;
    }

    void remove(Link link) {
        links[link.place()] = null;
    }

    /**
     * The place for a link that will make the group one of type {@code wanted}: a symmetric link takes the lowest, an asymmetric
     * one the highest (spec/20-llc.md §6).
     */
    int free(LinkGroupType present, LinkGroupType wanted) {
        if (present == LinkGroupType.SYMMETRIC || wanted.isAsymmetric() && present != LinkGroupType.SINGLE) {
            return NONE;
        }
        for (int i = 0; i < COUNT; i++) {
            int place = wanted.isAsymmetric() ? COUNT - 1 - i : i;
            if (links[place] == null) {
                return place;
            }
        }
        return NONE;
    }

    /** All links that were not yet cleared. */
    List<Link> all() {
        return matching(link -> true);
    }

    List<Link> usable() {
        return matching(Link::isUsable);
    }

    List<Link> active() {
        return matching(Link::isActive);
    }

    private List<Link> matching(Predicate<Link> condition) {
        List<Link> matching = new ArrayList<>(COUNT);
        for (Link link : links) {
            if (link != null && condition.test(link)) {
                matching.add(link);
            }
        }
        return matching;
    }

    /** Null if no link has this id; a client's first link has none, which is 0, until the server has named it. */
    Link byId(int id) {
        for (Link link : links) {
            if (link != null && id != 0 && link.id() == id) {
                return link;
            }
        }
        return null;
    }

    /** A link for LLC messages that may take any; null if none can send. */
    Link anySendable() {
        return sendableBut(null);
    }

    /** The same, but not this one. */
    Link sendableBut(Link excluded) {
        List<Link> sendable = matching(link -> link != excluded && link.isSendable());
        return sendable.isEmpty() ? null : sendable.getFirst();
    }

    /**
     * The link of a new connection: the first that is not asymmetric, or the second if the server has an odd number of
     * connections (spec/40-buffers-linkgroups.md §4).
     *
     * @param connections of the group, without the new one
     * @return null if there is none
     */
    Link forConnection(Role role, int connections) {
        List<Link> candidates = matching(link -> link.isActive() && !link.isAsymmetric());
        if (candidates.isEmpty()) {
            return null;
        }
        boolean second = role == Role.SERVER && connections % 2 == 1 && candidates.size() > 1;
        return candidates.get(second ? 1 : 0);
    }

    /**
     * Where the connections of a link go that is lost.
     *
     * @param portLost whether no other link on its port works either
     * @return null if there is no other
     */
    Link replacement(Link lost, boolean portLost) {
        for (Link link : active()) {
            if (link != lost && !(portLost && link.port().is(lost.port().device(), lost.port().number()))) {
                return link;
            }
        }
        return null;
    }

    /**
     * The asymmetric one of three links: of the two that share the local GID, the one whose peer GID is also that of another link
     * (spec/40-buffers-linkgroups.md §8). Null if there is none.
     */
    Link asymmetric() {
        List<Link> usable = usable();
        for (Link link : usable) {
            boolean sharesLocal = false;
            boolean sharesPeer = false;
            for (Link other : usable) {
                sharesLocal |= other != link && other.port().gid().equals(link.port().gid());
                sharesPeer |= other != link && other.peerGid().equals(link.peerGid());
            }
            if (sharesLocal && sharesPeer) {
                return link;
            }
        }
        return null;
    }
}
