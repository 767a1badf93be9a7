package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.Mac;
import org.smc4j.diag.ReasonCode;

/** Resources that a test answers for by hand. */
final class ScriptedResources implements HandshakeResources {
    static final LocalEnd.Smcd SMCD = new LocalEnd.Smcd(0x1111, 0, 2, 0x100);
    static final LocalEnd.Smcr SMCR =
            new LocalEnd.Smcr(Host.gid("10.8.0.1"), new Mac(0xA2), 0x11, 0x22, 1, 0x33, 2, Host.MTU_4096, 0x44, 0x55);

    /** What was asked for, in that order. */
    final List<Choice> asked = new ArrayList<>();
    Receiver receiver;

    @Override
    public void offer(Choice candidate, Receiver told) {
        asked.add(candidate);
        receiver = told;
    }

    @Override
    public void join(Choice choice, ClcAcceptConfirm accept, Receiver told) {
        asked.add(choice);
        receiver = told;
    }

    /** Gives a place for what was asked for last. */
    Place give(boolean firstContact) {
        Place place = new Place(asked.getLast() instanceof SmcdChoice ? SMCD : SMCR, firstContact);
        receiver.reserved(place);
        return place;
    }

    /** A place in a link group that remembers what was done with it. */
    static final class Place implements Reservation {
        private final LocalEnd end;
        private final boolean firstContact;
        final List<String> calls = new ArrayList<>();
        Completion completion;
        FirstLink firstLink;
        Choice completed;
        /** If not null, the link is lost already when somebody wants to wait for it. */
        ReasonCode lost;

        Place(LocalEnd end, boolean firstContact) {
            this.end = end;
            this.firstContact = firstContact;
        }

        @Override
        public LocalEnd localEnd() {
            return end;
        }

        @Override
        public boolean isFirstContact() {
            return firstContact;
        }

        @Override
        public void complete(Choice choice, ClcAcceptConfirm confirm, Completion told) {
            calls.add("complete");
            completed = choice;
            completion = told;
        }

        @Override
        public void awaitFirstLink(FirstLink told) {
            calls.add("awaitFirstLink");
            firstLink = told;
            if (lost != null) {
                told.failed(lost);
            }
        }

        @Override
        public void outOfSync() {
            calls.add("outOfSync");
        }

        @Override
        public void release() {
            calls.add("release");
        }
    }
}
