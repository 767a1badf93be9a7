package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Gid;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;

/** Accept, Confirm and Decline as Linux sends them (spec/10-clc.md §4 to §7). */
final class Answers {
    private static final List<Integer> NO_MORE_DIAGNOSES = List.of(0, 0, 0, 0);

    private Answers() {
    }

    static ClcAcceptConfirm accept(LocalAbilities abilities, Choice choice, Reservation reservation) {
        return answer(ClcType.ACCEPT, abilities, choice, reservation.localEnd(), reservation.isFirstContact(), List.of());
    }

    static ClcAcceptConfirm confirm(Offer offer, Choice choice, LocalEnd end, ClcAcceptConfirm accept) {
        return switch (choice) {
            case SmcdChoice smcd -> answer(ClcType.CONFIRM, offer.abilities(), smcd, end, accept.firstContact(), List.of());
            case SmcrChoice smcr -> {
                LocalEnd.Smcr own = (LocalEnd.Smcr) end;
                int mtuCode = Math.min(own.mtuCode(), ((ClcAcceptConfirmR) accept).mtuCode());
                LocalEnd.Smcr common = new LocalEnd.Smcr(own.gid(), own.mac(), own.qpNumber(), own.rkey(), own.rmbeIndex(),
                        own.alertToken(), own.sizeCode(), mtuCode, own.rmbAddress(), own.initialPsn());
                List<Gid> gids = smcr.isV2() && accept.firstContact() ? gids(offer, smcr, own) : List.of();
                yield answer(ClcType.CONFIRM, offer.abilities(), smcr, common, accept.firstContact(), gids);
            }
        };
    }

    /** Where a client's links can begin: this one, and one more port if there is one. */
    private static List<Gid> gids(Offer offer, SmcrChoice choice, LocalEnd.Smcr end) {
        List<Gid> gids = new ArrayList<>();
        gids.add(end.gid());
        PortGid alternate = PortChoice.alternate(offer.abilities().ports(), choice.port(), offer.connection().localIpv4());
        if (alternate != null) {
            gids.add(alternate.gid());
        }
        return gids;
    }

    private static ClcAcceptConfirm answer(ClcType type, LocalAbilities abilities, Choice choice, LocalEnd localEnd,
                                           boolean firstContact, List<Gid> gids) {
        return switch (choice) {
            case SmcdChoice smcd -> {
                LocalEnd.Smcd end = (LocalEnd.Smcd) localEnd;
                LocalIsm device = smcd.device();
                FirstContactExtension extension = firstContact && smcd.isV2()
                        ? smcd.terms().announce(false, false, abilities.hostname()) : null;
                ClcAcceptConfirmD.V2 v2 = smcd.isV2()
                        ? new ClcAcceptConfirmD.V2(device.chid(), smcd.eid(), device.gid().low(), extension) : null;
                yield new ClcAcceptConfirmD(type, smcd.version(), firstContact, device.gid().high(), end.dmbToken(),
                        end.dmbeIndex(), end.sizeCode(), end.linkGroupId(), v2);
            }
            case SmcrChoice smcr -> {
                LocalEnd.Smcr end = (LocalEnd.Smcr) localEnd;
                FirstContactExtension extension = firstContact && smcr.isV2()
                        ? smcr.terms().announce(true, smcr.gateway() == null, abilities.hostname()) : null;
                ClcAcceptConfirmR.V2 v2 = smcr.isV2() ? new ClcAcceptConfirmR.V2(smcr.eid(), extension, gids) : null;
                yield new ClcAcceptConfirmR(type, smcr.version(), firstContact, abilities.systemId(), end.gid(), end.mac(),
                        end.qpNumber(), end.rkey(), end.rmbeIndex(), end.alertToken(), end.sizeCode(), end.mtuCode(),
                        end.rmbAddress(), end.initialPsn(), v2);
            }
        };
    }

    /** @param systemId of this host; {@link SystemId#NONE} while a link group of SMC-D is held */
    static ClcDecline decline(int version, ReasonCode reason, SystemId systemId) {
        boolean v1 = version == ClcMessage.VERSION_1;
        return new ClcDecline(version, reason == ReasonCode.SYNCERR, systemId, reason.number(), v1 ? 0 : ClcMessage.OS_LINUX,
                v1 ? List.of() : NO_MORE_DIAGNOSES);
    }
}
