package org.smc4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.annotation.Testable;

/**
 * What can go wrong in time, and the tests for it: every rule of the specification of the kernel's SMC-R (spec/20-llc.md,
 * spec/30-cdc.md, spec/40-buffers-linkgroups.md, spec/50-sockets.md) that is there because of a race, a use after the end, a
 * lock-up or a lifetime, in the order of these pages, with the tests that fail if it is not kept.
 *
 * <p>How they try it: the control plane has one scheduler, where "at the same time" means "before or after each turn of what is
 * under way", so {@code RaceTest} and others let an event happen at every such moment of virtual time; the data path, where
 * threads really meet, has the stress tests with a bound.
 *
 * <p>Not in the table are the races of the kernel's accept queue, of its non-blocking connect and of the wake-ups that move with a
 * fallback (spec/50-sockets.md §4, §5, §8): a connection here is the JDK's TCP connection before, and one place waits for both
 * descriptors. What the application sees of that, and of the switch under it, the transparency runs in integration-tests show.
 */
@Timeout(20)
class KernelRacesTest {
    /**
     * @param page  the page of the specification and the section
     * @param what  can go wrong
     * @param tests class below org.smc4j, and methods
     */
    record Race(String page, String what, List<String> tests) {
        @Override
        public String toString() {
            return page + ": " + what;
        }
    }

    private static Race race(String page, String what, String... tests) {
        return new Race(page, what, List.of(tests));
    }

    static Stream<Race> races() {
        return Stream.of(Stream.of(llc()), Stream.of(cdc()), Stream.of(buffersAndLinkGroups()), Stream.of(sockets()))
                .flatMap(page -> page);
    }

    private static Race[] llc() {
        return new Race[] {
            race("20 §5", "the server's CONFIRM LINK, or the end of the group, comes before the client's first contact is over",
                    "linkgroup.FirstContactTest#shouldWaitForAFirstContactThatIsUnderWay",
                    "linkgroup.FirstContactTest#shouldFailWithTheFirstContactThatItWaitsFor",
                    "linkgroup.OneLinkTest#shouldDeclineWhenTheServerIsNotHeardOfAfterTheConfirm"),
            race("20 §6", "a buffer is taken while a link is added, and the peer never hears of it there",
                    "linkgroup.RaceTest#shouldReachEveryBufferWhenALinkIsAddedAtAnyMomentOfAHandshake"),
            race("20 §6", "the only link is lost while another one is added",
                    "linkgroup.RaceTest#shouldFailTheOfferWhenTheOnlyLinkIsLostMeanwhile",
                    "linkgroup.TwoLinksTest#shouldGoOnWithOneLinkWhenTheNewOneBreaks"),
            race("20 §6", "one end gives up the link that is being added, the other one goes on",
                    "linkgroup.LlcFlowsTest#shouldAnswerTheDeleteLinkThatComesInPlaceOfTheConfirmation",
                    "linkgroup.LlcFlowsTest#shouldNotGiveUpAnOfferForTheDeletionOfTheLinkOfAnEarlierOne",
                    "linkgroup.LlcFlowsTest#shouldTakeTheNextOfferOfAServerThatHasGivenUpTheOneBefore"),
            race("20 §6, 40 §11", "a port becomes active while a link is added without it, or during another flow",
                    "linkgroup.TwoLinksTest#shouldUseAPortOfTheClientThatBecameActiveWhileALinkWasAddedWithoutIt",
                    "linkgroup.TwoLinksTest#shouldUseAPortOfTheServerThatBecameActiveWhileALinkWasAddedWithoutIt",
                    "linkgroup.TwoLinksTest#shouldOfferALinkLaterWhenTheInvitationComesAtABadTime",
                    "linkgroup.LlcFlowsTest#shouldInviteTheServerAgainWhenADeletionEndsItsOffer"),
            race("20 §7", "both ends tell of rkeys at the same time, and each waits for the other",
                    "linkgroup.LlcFlowsTest#shouldAnswerRkeysOfThePeerWhileAFlowOfItsOwnIsUnderWay"),
            race("20 §7", "flows that never end keep an rkey from its turn",
                    "linkgroup.LlcFlowsTest#shouldDeclineWhenAnRkeyWaitsLongerForItsTurnThanTwentySeconds"),
            race("20 §8", "both ends delete links, or all, at the same time",
                    "linkgroup.RaceTest#shouldLeaveNothingBehindWheneverItHappens",
                    "linkgroup.LlcFlowsTest#shouldSayThatItKnowsNoSuchLink",
                    "linkgroup.LlcFlowsTest#shouldSendTheDeleteLinkOfTheClientBackAndWaitForItsAnswer"),
            race("20 §8", "the link by which the end of another one is told, or the answer, is lost",
                    "linkgroup.FailoverTest#shouldTellTheClientAgainWhenTheLinkIsLostByWhichItWasTold",
                    "linkgroup.FailoverTest#shouldTellTheClientByAnotherLinkWhenNoAnswerComesByTheFirst",
                    "linkgroup.LlcFlowsTest#shouldOfferALinkWhenTheClientHasLostOneThatTheServerDeletedLongBefore",
                    "linkgroup.LlcFlowsTest#shouldServeADeletionWhoseLinkIsLostMeanwhile"),
            race("20 §8", "what is on its way on a link that works arrives after the connection has moved",
                    "linkgroup.FailoverTest#shouldLeaveALinkThatWorksOnlyWhenEverythingPostedThereHasCompleted",
                    "connection.FailoverTest#shouldPostNothingOnALinkThatIsBeingLeft",
                    "connection.FailoverTest#shouldLoseNothingWhenLinksAreLeftThatWork"),
            race("20 §8", "the end of the group is told over a link that sends nothing",
                    "linkgroup.RaceTest#shouldTellThePeerOfTheEndOverTheOtherLinkWhenTheFirstSendsNothing"),
            race("20 §9", "a link goes down twice, by different triggers",
                    "linkgroup.LinkSlotsTest#shouldKeepToTheTableOfLinkStates",
                    "connection.WorkQueueTest#shouldGoDownOnceAndCallEveryHandlerWhenARequestFails"),
            race("20 §9", "links are lost while others are added and deleted, and the ends do not agree on what is left",
                    "linkgroup.FailoverTest#shouldAgreeOnTheTypeWhenOneOfThreeLinksIsLost",
                    "linkgroup.CutLinksTest#shouldAgreeOnTheirLinksInTheEnd"),
            race("20 §9", "connections move to a link that is lost for the same reason",
                    "linkgroup.LinkSlotsTest#shouldNotMoveToAnotherLinkOfALostPort",
                    "linkgroup.FailoverTest#shouldTellConnectionsOfBothEndsWhenTheLastLinkIsLost"),
            race("20 §9", "a link is lost under a handshake, or just before its end",
                    "linkgroup.FailoverTest#shouldLeaveAHandshakeAloneWhenItsLinkIsLost",
                    "linkgroup.FailoverTest#shouldNotEstablishAConnectionWhoseLinkWasLost",
                    "linkgroup.RaceTest#shouldDeclineWhenThePortGoesBetweenAcceptAndConfirm",
                    "core.SmcrHostTest#shouldKeepTheGroupWhenTheLinkOfAHandshakeIsLostAtAnyMoment"),
            race("20 §10", "a response that comes late, or that nobody has asked for",
                    "linkgroup.LlcFlowsTest#shouldNotDeclineAConnectionBecauseOfALateAnswer",
                    "linkgroup.LlcFlowsTest#shouldDropTheLateAnswerToAnEarlierOffer",
                    "linkgroup.LlcFlowsTest#shouldNotTakeTheAnswerForAnotherLinkForThatToADeleteLink",
                    "linkgroup.LlcFlowsTest#shouldNotTakeTheLateAnswerToADeleteRkeyForThatToTheNext",
                    "linkgroup.LlcFlowsTest#shouldNotWaitLongerBecauseOfWhatItDrops",
                    "linkgroup.LlcFlowsTest#shouldDropResponsesThatNobodyWaitsFor"),
            race("20 §10", "requests during another flow are lost",
                    "linkgroup.LlcFlowsTest#shouldKeepADeleteLinkForTheTimeAfterTheFlowThatIsUnderWay",
                    "linkgroup.LlcFlowsTest#shouldServeEveryDeletionThatCameWhileAnotherFlowWasUnderWay",
                    "linkgroup.LlcFlowsTest#shouldDeleteALostLinkLaterWhenTheRequestForThatWasDropped",
                    "linkgroup.LlcFlowsTest#shouldInviteAnotherOfferWhenTheLinkOfAKeptOneIsLost"),
            race("20 §10", "a flow, or one that waits for its turn, goes on in a group that has ended",
                    "linkgroup.RaceTest#shouldFailAllRkeysThatWaitForTheirTurnWhenTheGroupIsTerminated",
                    "linkgroup.RaceTest#shouldNotServeADelayedRequestOfAGroupThatHasEnded"),
            race("20 §11", "the keepalive of a link outlives it, or takes a link down that is heard of",
                    "linkgroup.RaceTest#shouldLeaveNothingBehindWheneverItHappens",
                    "linkgroup.FailoverTest#shouldKeepALinkThatIsHeardOfThoughTheTestIsNotAnswered"),
        };
    }

    private static Race[] cdc() {
        return new Race[] {
            race("30 §1", "a message comes for a connection that is not there yet, or not any more",
                    "connection.WorkQueueTest#shouldDropCdcMessagesThatAreNone",
                    "connection.TransferTest#shouldSendNothingBeforeItIsActive",
                    "connection.IntTableTest#shouldHoldWhatAMapHoldsUnderRandomChanges"),
            race("30 §4", "a cursor from before overtakes the present one",
                    "connection.TransferTest#shouldIgnoreCursorsFromBeforeAndOldMessages"),
            race("30 §5", "there is no slot, and nobody sends when one is free",
                    "connection.AutocorkTest#shouldSendAllInOneMessageWhenASlotBecomesFree",
                    "connection.WorkQueueTest#shouldGiveSlotsToWaitersInOrderWhenMessagesComplete",
                    "connection.WorkQueueTest#shouldGoDownWhenNoSlotBecomesFreeForTenSeconds",
                    "connection.RdmaConnectionStressTest#shouldServeEveryConnectionWhenSlotsAreScarce"),
            race("30 §5", "the mark of the urgent byte is lost with the message that carried it",
                    "connection.UrgentDataTest#shouldSendTheMarkAgainWhenItWasLostWithTheLink"),
            race("30 §6", "data is held back for a completion that has already come",
                    "connection.AutocorkTest#shouldHoldBackWhileAMessageIsOutstandingAndSendAllWithItsCompletion",
                    "connection.AutocorkTest#shouldWaitForTheLastOfSeveralMessages",
                    "connection.RdmaConnectionStressTest#shouldLoseNoByteAndNoWakeUpInBothDirections"),
            race("30 §6", "a completion comes while another thread sends, and is not seen to",
                    "connection.TurnTest#shouldLoseNoRequestUnderContention",
                    "connection.TurnTest#shouldDoBeforeItLeavesWhatOthersRequestedMeanwhile"),
            race("30 §6", "a window update cannot be sent, and the peer stays blocked",
                    "connection.TransferTest#shouldTellTheCursorLaterWhenThereIsNoSlotForIt"),
            race("30 §7", "the number of a message that was not posted is missing at the peer",
                    "connection.TransferTest#shouldCountNoMessageThatWasNotPosted"),
            race("30 §7", "sequence numbers go round",
                    "connection.InboxTest#shouldCompareSequenceNumbersAcrossTheirEnd"),
            race("30 §7", "what was on its way when the link was lost is lost, or counted twice",
                    "connection.FailoverTest#shouldLoseNothingWhenAnyRequestFailsAndThereIsAnotherLink",
                    "connection.FailoverTest#shouldLoseNothingWhenALinkFallsSilentAtAnyMoment",
                    "connection.RdmaConnectionStressTest#shouldGoOnByTheOtherLinkUnderTraffic",
                    "connection.CapturedFailoverTest#shouldSendAgainWhatWasLostWhenALinkLosesPackets"),
            race("30 §7", "completions of the link that was left confirm what is sent again",
                    "connection.InboxTest#shouldConfirmByMessagesOfThePresentLinkOnly"),
            race("30 §7", "the new link is judged before what has come by the old one is taken in",
                    "connection.InboxTest#shouldSeeToTheOldLinkBeforeItGoesOnWithTheNewOne",
                    "connection.InboxTest#shouldBeOutOfSyncWhenAMessageIsMissing",
                    "connection.InboxTest#shouldAbortOnTheLinkOfTheMessageWhenOutOfSync",
                    "connection.DeviceCompletionsTest#shouldRunATaskOnlyBehindWhatHadArrived"),
            race("30 §8, 50 §7", "a reader or writer goes to sleep while what it waits for comes",
                    "connection.RdmaConnectionStressTest#shouldLoseNoByteAndNoWakeUpInBothDirections",
                    "stream.DmbStreamStressTest#shouldLoseNoByteAndNoWakeUpUnderRandomSizes",
                    "stream.DmbStreamStressTest#shouldLoseNoWakeUpWhenAStreamFallsSilent"),
        };
    }

    private static Race[] buffersAndLinkGroups() {
        return new Race[] {
            race("40 §2", "two connections have one buffer",
                    "linkgroup.BufferPoolTest#shouldTakeAnIdleBufferOfTheSameSizeBeforeANewOne",
                    "linkgroup.RaceTest#shouldLeaveNothingBehindWheneverItHappens"),
            race("40 §2, 20 §7", "an RMB is another connection's while the peer may still write for the one before",
                    "linkgroup.OneLinkTest#shouldTellThePeerAndZeroTheRmbBeforeItIsUsedAgain",
                    "linkgroup.LlcFlowsTest#shouldNotHaveAnRmbAgainThatThePeerWasToldOfAndHasNotForgotten",
                    "linkgroup.LlcFlowsTest#shouldNotHaveAnRmbAgainThatThePeerDoesNotKnow",
                    "linkgroup.LlcFlowsTest#shouldTellThePeerOverAnotherLinkWhenThatOfTheDeleteRkeyIsLost",
                    "linkgroup.FirstContactTest#shouldGiveNoBufferToThePeerTwiceWhenTheFirstLeavesAndTheOtherStays"),
            race("40 §2", "an RMB is given back while the peer is being told of it",
                    "linkgroup.LlcFlowsTest#shouldNotGiveAnRmbAwayWhileThePeerIsBeingToldOfIt"),
            race("40 §2", "an idle buffer is not registered on a link that came meanwhile, or cannot be registered",
                    "linkgroup.BufferPoolTest#shouldRegisterAnIdleBufferOnLinksThatCameMeanwhile",
                    "linkgroup.BufferPoolTest#shouldRefuseWhenNothingCanBeRegisteredAndGoOnWhenItCan"),
            race("40 §3", "the table of rtokens fills up between the choice of the group and the rkey",
                    "linkgroup.OneLinkTest#shouldRefuseAnRkeyWhenThereIsNoRoom",
                    "linkgroup.OneLinkTest#shouldBeginAnotherGroupWhenTheRtokenTableIsFull"),
            race("40 §3, 20 §7", "the peer tells twice of an RMB, and is told of a link for the entry that no connection has",
                    "linkgroup.LlcFlowsTest#shouldKnowAnRmbAgainByAnyLink",
                    "core.SmcrHostTest#shouldLoseNothingWhenLinksAreCutAndRestoredAtRandom"),
            race("40 §3", "the peer takes back an RMB that a connection still uses",
                    "linkgroup.FailoverTest#shouldSendOneConnectionToTcpWhenThePeerNeverToldOfItsBufferOnTheOtherLink",
                    "linkgroup.LlcFlowsTest#shouldForgetAnRmbOnAllLinksWhenThePeerDeletesItOnOne"),
            race("40 §4", "a connection joins a group that is out of sync, or that only one end knows",
                    "linkgroup.OneLinkTest#shouldNotTakeAGroupThatIsOutOfSync",
                    "linkgroup.SmcdLinkGroupTest#shouldTakeNoConnectionIntoAGroupThatIsOutOfSync",
                    "linkgroup.FirstContactTest#shouldBeOutOfSyncOnlyWithAGroupThatIsNotKnown",
                    "linkgroup.OneLinkTest#shouldDeclineWhenOnlyTheServerStillKnowsTheGroup"),
            race("40 §4", "two first contacts with one peer at the same time make two groups",
                    "negotiation.HandshakePairTest#shouldMakeOneGroupWhenManyConnectionsBeginAtOnce",
                    "negotiation.ClientHandshakeTest#shouldWaitForItsTurnWhenAnotherClientMakesAGroup"),
            race("40 §6", "an unused group is freed while a connection joins it",
                    "linkgroup.OneLinkTest#shouldKeepTheGroupWhenAConnectionComesWhileItWaitsForItsEnd",
                    "linkgroup.RaceTest#shouldConnectWhenTheUnusedGroupIsFreedAtAnyMomentOfTheHandshake"),
            race("40 §6", "a group is terminated while a connection is created in it",
                    "linkgroup.RaceTest#shouldFailTheHandshakeWhenTheGroupIsTerminatedWhileAConnectionIsCreated",
                    "linkgroup.RaceTest#shouldLeaveNothingBehindWheneverItHappens",
                    "linkgroup.StressTest#shouldLeaveNothingBehindWhenManyThreadsDriveTheGroups"),
            race("40 §6", "a group is terminated twice, for different reasons",
                    "linkgroup.RaceTest#shouldEndOnceWhenTerminatedTwice"),
            race("40 §6", "connections leave the group while it aborts them one by one",
                    "linkgroup.OneLinkTest#shouldAbortTheConnectionsOfBothEndsWhenOneTerminates"),
            race("40 §6", "a first contact fails for one connection, and others have joined the group",
                    "linkgroup.FirstContactTest#shouldGoOnForWhoHasJoinedWhenTheConnectionLeavesThatItBeganWith",
                    "linkgroup.FirstContactTest#shouldEndTheGroupWhenNobodyHoldsItAndItsLinkNeverCameUp",
                    "linkgroup.FirstContactTest#shouldBeThereForTheNextWhenTheFirstLeavesAfterItsLinkCameUp"),
            race("40 §6", "a device is gone while links use it",
                    "linkgroup.FailoverTest#shouldTellOfTheDeviceWhenNoLinkUsesItAnyMore"),
            race("40 §6", "an abort is written to a peer of SMC-D that has shut down",
                    "linkgroup.SmcdLinkGroupTest#shouldKillConnectionsWithoutASignalWhenThePeerHasShutDown"),
            race("40 §7", "a group, or its memory, is freed under a connection",
                    "linkgroup.OneLinkTest#shouldHoldTheMemoryUntilTheLastConnectionHasLeft",
                    "stream.DmbStreamStressTest#shouldCloseUnderTransfersWithoutTouchingReleasedMemory"),
            race("40 §7", "a link is cleared while an answer, or work about its loss, is still to come",
                    "linkgroup.RaceTest#shouldClearALinkWhileAnAnswerOverItIsAwaited",
                    "linkgroup.LlcFlowsTest#shouldServeADeletionWhoseLinkIsLostMeanwhile"),
            race("40 §7", "a connection is freed while one of its messages is in flight",
                    "connection.ClosingTest#shouldNotEndBeforeItsMessagesHaveCompleted",
                    "connection.WorkQueueTest#shouldKeepTheSlotWhileAWriteOfItIsOutstanding"),
            race("40 §7", "a queue pair is destroyed while requests are posted, which then never complete",
                    "connection.WorkQueueTest#shouldWaitForAllCompletionsWhenItEnds",
                    "connection.WorkQueueTest#shouldFailLongMessagesThatWaitForTheirBufferWhenTheLinkGoesDown",
                    "connection.WorkQueueTest#shouldEndAtOnceWhenItWasNeverConnected"),
            race("40 §7", "memory is written after its registration was taken back",
                    "roce.software.RegionTest#shouldNotBeWrittenAfterCloseHasReturned",
                    "roce.software.HostilePeerTest#shouldNotWriteIntoMemoryThatIsTakenAwayInTheMiddle"),
            race("40 §10", "a completion comes between the last poll and the arming",
                    "connection.DeviceCompletionsTest#shouldSeeWhatComesBetweenTheLastPollAndTheArming"),
            race("40 §10", "the sender's handler is not called when the link goes down",
                    "connection.WorkQueueTest#shouldGoDownOnceAndCallEveryHandlerWhenARequestFails"),
            race("40 §11", "an event of a port or a GID comes while the device is added",
                    "negotiation.DeviceRegistryTest#shouldNeverLoseAnEventWhenDevicesChangeWhileTheyAreAdded",
                    "negotiation.DeviceRegistryTest#shouldKnowThatPortIsActiveWhenItComesUpDuringTheFirstQuery",
                    "core.SmcrHostTest#shouldAddALinkWhenAPortThatIsActiveGetsItsGidLater",
                    "linkgroup.FailoverTest#shouldLoseTheLinkWhenItsGidIsNotThereAnyMore"),
        };
    }

    private static Race[] sockets() {
        return new Race[] {
            race("50 §2", "a close during INIT meets the success of the handshake",
                    "connection.ClosingTest#shouldEndWhenItNeverBecameActive",
                    "connection.ClosingTest#shouldStayClosedWhenTheHandshakeSucceedsAfterwards",
                    "negotiation.ClientHandshakeTest#shouldEndOnceAndLeaveNothingBehindWhenInterruptedInAnyState",
                    "negotiation.ServerHandshakeTest#shouldEndOnceAndLeaveNothingBehindWhenInterruptedInAnyState"),
            race("50 §2", "the state changes while a close waits until everything is sent",
                    "connection.ClosingTest#shouldFollowTheNewStateWhenThePeerShutsDownDuringTheDrain",
                    "connection.ClosingTest#shouldEndTheDrainWhenThePeerAborts",
                    "connection.ClosingTest#shouldEndTheDrainWhenTheLinkGroupEnds"),
            race("50 §2", "both ends close, or the peer's end is seen to while the application closes: freed twice, or never",
                    "connection.ClosingTest#shouldEndOnceWheneverTheOtherEndDoesSomething",
                    "connection.StateTableTest#shouldEndWhenBothEndsClose",
                    "connection.StateTableTest#shouldFollowTheTable",
                    "connection.RdmaConnectionStressTest#shouldEndOnceWhenClosedUnderTransfers"),
            race("50 §2", "the group's end aborts a connection twice, or one that is closed",
                    "connection.ClosingTest#shouldCloseTwiceWithoutEffect",
                    "connection.ClosingTest#shouldTellThePeerOnceWhenTheLinkGroupEnds",
                    "connection.ClosingTest#shouldBeAbortedEvenIfNothingCanBeSent"),
            race("50 §2", "the last word of a connection is lost with its link",
                    "connection.ClosingTest#shouldSayItAgainOnTheOtherLinkWhenACloseWasLost"),
            race("50 §2", "who waits is not woken by what the peer says of its end",
                    "connection.ClosingTest#shouldWakeWhoWaitsWhenThePeerSaysSomething"),
            race("50 §8", "bytes are lost or doubled where the connection goes on over TCP",
                    "connection.RdmaConnectionStressTest#shouldGoOnOverTcpUnderTraffic",
                    "connection.FailoverTest#shouldLoseNothingWhenAnyRequestFailsAndTheRestGoesByTcp",
                    "connection.FreezeTest#shouldTakeInNothingMoreOnceTheNumberWasTold",
                    "core.SmcrHostTest#shouldGoOnByTcpWithoutLosingAByteWhenTheLastLinkIsLost"),
        };
    }

    @ParameterizedTest
    @MethodSource("races")
    void shouldHaveATestForEachRace(Race race) throws ClassNotFoundException {
        assertTrue(!race.tests().isEmpty() && new HashSet<>(race.tests()).size() == race.tests().size());
        for (String test : race.tests()) {
            String[] name = test.split("#");
            Class<?> type = Class.forName("org.smc4j." + name[0], false, getClass().getClassLoader());
            assertTrue(runs(type, name[1]), () -> test + " is no test that is run");
        }
    }

    private static boolean runs(Class<?> type, String name) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return isAnnotated(method, Testable.class) && !isAnnotated(method, Disabled.class)
                            && !isAnnotated(type, Disabled.class);
                }
            }
        }
        return false;
    }

    @Test
    void shouldHaveEveryPageOnceInItsOrder() {
        List<String> rows = races().map(Race::toString).toList();
        assertEquals(rows.size(), Set.copyOf(rows).size());
        assertEquals(List.of("20", "30", "40", "50"),
                races().map(race -> race.page().substring(0, 2)).distinct().toList());
        assertTrue(races().flatMap(race -> Arrays.stream(race.page().split(", "))).allMatch(page -> page.matches("\\d0 §\\d+")));
    }
}
