package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceDevice.GidType;

/** The client's check of an Accept and the server's check of a Confirm. */
@Timeout(10)
class AnswerChecksTest {
    private static final Eid EID = Eid.ueid("ONE");
    private static final Eid SEID = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");
    private static final Gid PEER = Host.gid("10.8.0.2");

    private final Host client = new Host().ueids("ONE");

    private static FirstContactExtension extension(int release, int maxConnections, int maxLinks, int features) {
        return extension(true, release, maxConnections, maxLinks, features);
    }

    private static FirstContactExtension extension(boolean direct, int release, int maxConnections, int maxLinks, int features) {
        return new FirstContactExtension(direct, 2, release, Hostname.of("peer"), maxConnections, maxLinks, features);
    }

    private static ClcAcceptConfirmR smcr(ClcType type, int version, FirstContactExtension extension, Eid eid, int index,
                                          int mtu) {
        ClcAcceptConfirmR.V2 v2 = version == 1 ? null : new ClcAcceptConfirmR.V2(eid, extension, List.of());
        return new ClcAcceptConfirmR(type, version, extension != null, new SystemId(7), PEER, new Mac(8), 0x11, 0x22, index, 0x33,
                2, mtu, 0x4400, 0x55, v2);
    }

    private static ClcAcceptConfirmR acceptR(FirstContactExtension extension) {
        return smcr(ClcType.ACCEPT, 2, extension, EID, 1, 5);
    }

    private static ClcAcceptConfirmD smcd(ClcType type, int version, int chid, Eid eid, FirstContactExtension extension) {
        ClcAcceptConfirmD.V2 v2 = version == 1 ? null : new ClcAcceptConfirmD.V2(chid, eid, 0x99, extension);
        return new ClcAcceptConfirmD(type, version, extension != null, 0x88, 1, 0, 2, 3, v2);
    }

    private static ClcAcceptConfirmD acceptD(int chid, Eid eid, FirstContactExtension extension) {
        return smcd(ClcType.ACCEPT, 2, chid, eid, extension);
    }

    private Choice check(ClcAcceptConfirm accept) throws DeclineException {
        return AcceptCheck.check(client.offer(), accept);
    }

    private ReasonCode refusal(ClcAcceptConfirm accept) {
        return assertThrows(DeclineException.class, () -> check(accept)).reason();
    }

    // -- Accept --

    @Test
    void shouldRefuseTheModeWhenItWasNotOfferedInThatVersion() {
        client.rnic(GidType.ROCE_V2);
        assertEquals(ReasonCode.MODEUNSUPP, refusal(smcr(ClcType.ACCEPT, 1, null, null, 1, 5)));
        assertEquals(ReasonCode.MODEUNSUPP, refusal(smcd(ClcType.ACCEPT, 1, 0, null, null)));
        assertEquals(ReasonCode.MODEUNSUPP, refusal(acceptD(7, EID, null)));
        client.ports.clear();
        client.ismDevices.add(Host.ism("ism", 7, PnetId.NONE));
        assertEquals(ReasonCode.MODEUNSUPP, refusal(acceptR(null)));
        assertEquals(ReasonCode.MODEUNSUPP, refusal(smcd(ClcType.ACCEPT, 1, 0, null, null)));
        client.ismDevices.clear();
        client.rnic(GidType.ROCE_V1);
        assertEquals(ReasonCode.MODEUNSUPP, refusal(acceptR(null)));
    }

    @Test
    void shouldTakeThePeerFromTheAcceptWhenItIsSmcR() throws DeclineException {
        client.rnic(GidType.ROCE_V1, GidType.ROCE_V2);
        SmcrChoice v1 = (SmcrChoice) check(smcr(ClcType.ACCEPT, 1, null, null, 1, 5));
        assertEquals(new SmcrChoice(1, client.offer().portV1(), new SystemId(7), PEER, new Mac(8), null, null, 0, false,
                Terms.DEFAULT), v1);
        SmcrChoice v2 = (SmcrChoice) check(smcr(ClcType.ACCEPT, 3, extension(1, 16, 1, 0x8001), EID, 1, 5));
        assertEquals(new SmcrChoice(2, client.offer().portV2(), new SystemId(7), PEER, new Mac(8), null, EID, 0, false,
                new Terms(1, 16, 1, 1)), v2, "later versions have the layout of version 2");
        assertEquals(Terms.DEFAULT, check(acceptR(null)).terms(), "an existing group has its own");
    }

    @Test
    void shouldTakeAnyVlanWhenSmcDIsOfferedInVersion2Only() throws DeclineException {
        client.rnic(GidType.ROCE_V2);
        client.ismDevices.add(Host.ism("free", 7, PnetId.NONE));
        assertEquals(true, ((SmcrChoice) check(acceptR(null))).anyVlan());
        client.ismDevices.add(Host.ism("pnet", 8, Host.NET));
        assertEquals(false, ((SmcrChoice) check(acceptR(null))).anyVlan());
        client.ismDevices.clear();
        assertEquals(false, ((SmcrChoice) check(acceptR(null))).anyVlan());
    }

    @Test
    void shouldFindTheDeviceByItsChidWhenAcceptIsSmcDv2() throws DeclineException {
        client.ismDevices.add(Host.ism("anchor", 6, Host.NET));
        client.ismDevices.add(Host.ism("free", 7, PnetId.NONE));
        client.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        SmcdChoice choice = (SmcdChoice) check(acceptD(7, EID, extension(1, 0, 0, 0xFFFF)));
        assertEquals(new SmcdChoice(2, client.ismDevices.get(1), new Gid(0x88, 0), EID, 0, new Terms(1, 255, 2, 1)), choice);
        assertEquals("anchor", ((SmcdChoice) check(acceptD(6, EID, null))).device().name());
        assertEquals(new Gid(0x88, 0x99), ((SmcdChoice) check(acceptD(0xFF01, EID, null))).peerGid());
        assertEquals(ReasonCode.NOSMCD2DEV, refusal(acceptD(0xFF02, EID, null)));
        SmcdChoice v1 = (SmcdChoice) check(smcd(ClcType.ACCEPT, 1, 0, null, null));
        assertEquals(new SmcdChoice(1, client.offer().ismV1(), new Gid(0x88, 0), null, 0, Terms.DEFAULT), v1);
    }

    @Test
    void shouldKnowTheVlanOfTheConnectionWhenAcceptIsSmcD() throws DeclineException {
        client.ismDevices.add(Host.ism("free", 7, PnetId.NONE));
        client.vlan = 10;
        assertEquals(10, ((SmcdChoice) check(acceptD(7, EID, null))).vlan());
    }

    @Test
    void shouldRefuseAnEidThatWasNotOfferedWhenAcceptIsOfVersion2() throws DeclineException {
        client.rnic(GidType.ROCE_V2);
        client.ismDevices.add(Host.ism("free", 7, PnetId.NONE));
        Eid other = Eid.ueid("OTHER");
        assertEquals(ReasonCode.CNFERR, refusal(acceptD(7, other, null)));
        assertEquals(ReasonCode.CNFERR, refusal(smcr(ClcType.ACCEPT, 2, null, other, 1, 5)));
        client.seid = SEID;
        assertEquals(ReasonCode.CNFERR, refusal(acceptD(7, SEID, null)), "not enabled");
        client.seidEnabled = true;
        assertEquals(SEID, check(acceptD(7, SEID, null)).eid());
        assertEquals(ReasonCode.CNFERR, refusal(smcr(ClcType.ACCEPT, 2, null, SEID, 1, 5)), "for SMC-D only");
    }

    @Test
    void shouldRefuseLimitsOutOfRangeWhenReleaseIs1() throws DeclineException {
        client.rnic(GidType.ROCE_V2);
        client.ismDevices.add(Host.ism("free", 7, PnetId.NONE));
        assertEquals(ReasonCode.MAXCONNERR, refusal(acceptR(extension(1, 15, 2, 1))));
        assertEquals(ReasonCode.MAXCONNERR, refusal(acceptR(extension(1, 15, 0, 1))));
        assertEquals(ReasonCode.MAXLINKERR, refusal(acceptR(extension(1, 16, 0, 1))));
        assertEquals(ReasonCode.MAXLINKERR, refusal(acceptR(extension(1, 16, 3, 1))));
        assertEquals(new Terms(1, 16, 1, 0), check(acceptR(extension(1, 16, 1, 2))).terms());
        assertEquals(Terms.DEFAULT, check(acceptR(extension(0, 0, 0, 0xFFFF))).terms(), "release 0 has none");
        assertEquals(new Terms(1, 255, 2, 1), check(acceptD(7, EID, extension(1, 0, 0, 1))).terms(), "nor has SMC-D");
    }

    @Test
    void shouldLookAtTheRouteWhenTheServerSeesAGateway() throws DeclineException {
        client.rnic(GidType.ROCE_V2);
        ClcAcceptConfirmR viaGateway = acceptR(extension(false, 1, 255, 2, 1));
        client.route = new Routes.Unreachable();
        assertEquals(ReasonCode.NOROUTE, refusal(viaGateway));
        assertNull(((SmcrChoice) check(acceptR(extension(true, 1, 255, 2, 1)))).gateway(), "a direct peer is taken at its word");
        assertNull(((SmcrChoice) check(acceptR(null))).gateway(), "an existing group has its own");
        client.route = new Routes.Direct();
        assertEquals(ReasonCode.NOINDIRECT, refusal(viaGateway));
        client.route = new Routes.Gateway(new Mac(9));
        assertEquals(new Mac(9), ((SmcrChoice) check(viaGateway)).gateway());
        assertEquals(ReasonCode.MAXCONNERR, refusal(acceptR(extension(false, 1, 15, 2, 1))));
        client.route = new Routes.Direct();
        assertEquals(ReasonCode.NOINDIRECT, refusal(acceptR(extension(false, 1, 15, 2, 1))), "the route comes first");
    }

    @Test
    void shouldRefuseNumbersThatNoDeviceTakesWhenPeerIsSmcR() {
        client.rnic(GidType.ROCE_V2);
        assertEquals(ReasonCode.ERR_RTOK, refusal(smcr(ClcType.ACCEPT, 2, null, EID, 0, 5)));
        assertEquals(ReasonCode.ERR_RDYLNK, refusal(smcr(ClcType.ACCEPT, 2, null, EID, 1, 0)));
        assertEquals(ReasonCode.ERR_RDYLNK, refusal(smcr(ClcType.ACCEPT, 2, null, EID, 1, 6)));
        assertEquals(ReasonCode.ERR_RTOK, unconfirmed(smcr(2, new Terms(1, 100, 2, 1)), false,
                smcr(ClcType.CONFIRM, 2, null, EID, 0, 5)));
        assertEquals(ReasonCode.ERR_RDYLNK, unconfirmed(smcr(1, Terms.DEFAULT), false,
                smcr(ClcType.CONFIRM, 1, null, null, 1, 9)));
    }

    // -- Confirm --

    private static SmcrChoice smcr(int version, Terms terms) {
        PortGid port = PortChoice.v2(new Host().rnic(GidType.ROCE_V2).abilities(), new Host().connection());
        return new SmcrChoice(version, port, new SystemId(7), PEER, new Mac(8), null, version == 1 ? null : EID, 0, false, terms);
    }

    private static SmcdChoice smcd(int version, Terms terms) {
        return new SmcdChoice(version, Host.ism("ism", 7, PnetId.NONE), new Gid(0x88, 0), version == 1 ? null : EID, 0, terms);
    }

    private static ReasonCode unconfirmed(Choice choice, boolean firstContact, ClcAcceptConfirm confirm) {
        return assertThrows(DeclineException.class, () -> ConfirmCheck.check(choice, firstContact, confirm)).reason();
    }

    private static ClcAcceptConfirmR confirmR(FirstContactExtension extension) {
        return smcr(ClcType.CONFIRM, 2, extension, EID, 1, 5);
    }

    private static ClcAcceptConfirmD confirmD(FirstContactExtension extension) {
        return smcd(ClcType.CONFIRM, 2, 7, EID, extension);
    }

    @Test
    void shouldAdoptTheCommonFeaturesWhenConfirmRepeatsTheRest() throws DeclineException {
        Terms terms = new Terms(1, 100, 2, 0xF001);
        assertEquals(new Terms(1, 100, 2, 0xFF),
                ConfirmCheck.check(smcr(2, terms), true, confirmR(extension(1, 100, 2, 0xFF))).terms());
        assertEquals(new Terms(1, 100, 2, 1), ConfirmCheck.check(smcd(2, terms), true, confirmD(extension(1, 3, 4, 1))).terms(),
                "SMC-D has no limits");
        SmcrChoice reuse = smcr(2, terms);
        assertSame(reuse, ConfirmCheck.check(reuse, false, confirmR(null)));
        SmcrChoice v1 = smcr(1, Terms.DEFAULT);
        assertSame(v1, ConfirmCheck.check(v1, true, smcr(ClcType.CONFIRM, 1, null, null, 1, 5)));
        SmcdChoice smcdV1 = smcd(1, Terms.DEFAULT);
        assertSame(smcdV1, ConfirmCheck.check(smcdV1, true, smcd(ClcType.CONFIRM, 1, 0, null, null)));
    }

    @Test
    void shouldRefuseWhenConfirmDoesNotRepeatReleaseOrLimits() throws DeclineException {
        Terms terms = new Terms(1, 100, 2, 1);
        assertEquals(ReasonCode.RELEASEERR, unconfirmed(smcr(2, terms), true, confirmR(extension(0, 100, 2, 1))));
        assertEquals(ReasonCode.RELEASEERR, unconfirmed(smcr(2, terms), true, confirmR(extension(2, 100, 2, 1))));
        assertEquals(ReasonCode.RELEASEERR, unconfirmed(smcd(2, terms), true, confirmD(extension(0, 0, 0, 0))));
        assertEquals(ReasonCode.MAXCONNERR, unconfirmed(smcr(2, terms), true, confirmR(extension(1, 99, 1, 1))));
        assertEquals(ReasonCode.MAXLINKERR, unconfirmed(smcr(2, terms), true, confirmR(extension(1, 100, 1, 1))));
        assertEquals(Terms.DEFAULT, ConfirmCheck.check(smcr(2, Terms.DEFAULT), true, confirmR(extension(0, 9, 9, 9))).terms());
    }

    @Test
    void shouldRefuseWhenConfirmAnswersAnotherAccept() {
        Terms terms = new Terms(1, 255, 2, 1);
        assertEquals(ReasonCode.MODEUNSUPP, unconfirmed(smcr(2, terms), false, confirmD(null)));
        assertEquals(ReasonCode.MODEUNSUPP, unconfirmed(smcd(2, terms), false, confirmR(null)));
        assertEquals(ReasonCode.VERSMISMAT, unconfirmed(smcr(2, terms), false, smcr(ClcType.CONFIRM, 1, null, null, 1, 5)));
        assertEquals(ReasonCode.VERSMISMAT, unconfirmed(smcd(1, Terms.DEFAULT), false, confirmD(null)));
        assertEquals(ReasonCode.SYNCERR, unconfirmed(smcr(2, terms), true, confirmR(null)));
        assertEquals(ReasonCode.SYNCERR, unconfirmed(smcd(2, terms), false, confirmD(extension(1, 0, 0, 1))));
        assertEquals(ReasonCode.CNFERR, unconfirmed(smcr(2, terms), false, smcr(ClcType.CONFIRM, 2, null, SEID, 1, 5)));
        assertEquals(ReasonCode.CNFERR, unconfirmed(smcd(2, terms), false, smcd(ClcType.CONFIRM, 2, 7, SEID, null)));
        assertEquals(ReasonCode.CNFERR, unconfirmed(smcd(2, terms), false, smcd(ClcType.CONFIRM, 2, 8, EID, null)));
        SmcdChoice otherPeer = new SmcdChoice(2, Host.ism("ism", 7, PnetId.NONE), new Gid(0x87, 0), EID, 0, terms);
        assertEquals(ReasonCode.CNFERR, unconfirmed(otherPeer, false, confirmD(null)));
    }
}
