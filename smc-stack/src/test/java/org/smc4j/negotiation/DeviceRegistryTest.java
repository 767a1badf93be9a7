package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.roce.RoceDevice.Event.Kind;
import org.smc4j.time.SchedulerThread;
import org.smc4j.time.VirtualTime;

@Timeout(20)
class DeviceRegistryTest {
    private final VirtualTime time = new VirtualTime(1);
    private final PnetTable pnetIds = new PnetTable(PnetTable.Hardware.NONE);
    private final List<String> told = new ArrayList<>();
    private final DeviceRegistry registry = new DeviceRegistry(time, pnetIds, recorder(told));

    private static DeviceRegistry.Listener recorder(List<String> told) {
        return new DeviceRegistry.Listener() {
            @Override
            public void portActive(LocalPort port) {
                assertTrue(port.isActive());
                told.add("active " + port.device() + " " + port.number() + " " + port.pnetId());
            }

            @Override
            public void portLost(String device, int number) {
                told.add("lost " + device + " " + number);
            }

            @Override
            public void gidsChanged(LocalPort port) {
                told.add("gids " + port.device() + " " + port.number() + " " + port.port().gids().size());
            }

            @Override
            public void rnicRemoved(String device) {
                told.add("removed " + device);
            }

            @Override
            public void ismRemoved(LocalIsm device) {
                told.add("removed " + device.name());
            }
        };
    }

    private List<Boolean> active() {
        return registry.ports().stream().map(LocalPort::isActive).toList();
    }

    private List<String> told() {
        time.runDue();
        List<String> since = List.copyOf(told);
        told.clear();
        return since;
    }

    @Test
    void shouldKnowPortsAtOnceWhenRnicIsAdded() {
        pnetIds.add("NET1", null, "rnic", 2);
        ScriptedRnic rnic = new ScriptedRnic("rnic", 2);
        rnic.set(1, false);
        registry.add(rnic);
        assertEquals(List.of(false, true), active());
        assertEquals(List.of("active rnic 2 NET1"), told());
        assertThrows(IllegalArgumentException.class, () -> registry.add(new ScriptedRnic("rnic", 1)));
    }

    @Test
    void shouldKnowThatPortIsActiveWhenItComesUpDuringTheFirstQuery() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        rnic.set(1, false);
        rnic.afterNextQuery(() -> rnic.setAndRaise(1, true));
        registry.add(rnic);
        assertEquals(List.of(false), active(), "what the query has seen");
        assertEquals(List.of("active rnic 1 none"), told());
        assertEquals(List.of(true), active());
    }

    @Test
    void shouldKnowThatPortIsLostWhenItGoesDownDuringTheFirstQuery() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        rnic.afterNextQuery(() -> rnic.setAndRaise(1, false));
        registry.add(rnic);
        assertEquals(List.of("active rnic 1 none", "lost rnic 1"), told());
        assertEquals(List.of(false), active());
    }

    @Test
    void shouldKnowThePresentStateWhenEventsComeWhileTheListenerIsRegistered() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        rnic.whenListened(() -> {
            rnic.setAndRaise(1, false);
            rnic.setAndRaise(1, true);
            rnic.setAndRaise(1, false);
        });
        registry.add(rnic);
        time.runDue();
        assertEquals(List.of(false), active());
    }

    @Test
    void shouldFollowThePortWhenItGoesDownAndUp() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 2);
        registry.add(rnic);
        told();
        rnic.setAndRaise(2, false);
        assertEquals(List.of("lost rnic 2"), told());
        assertEquals(List.of(true, false), active());
        rnic.setAndRaise(2, true);
        assertEquals(List.of("active rnic 2 none"), told());
        assertEquals(List.of(true, true), active());
    }

    @Test
    void shouldLoseLinksButNotThePortWhenQueuePairIsFatal() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        registry.add(rnic);
        told();
        rnic.raise(Kind.QUEUE_PAIR_FATAL, 1, 17);
        rnic.raise(Kind.QUEUE_PAIR_ACCESS_ERROR, 1, 18);
        assertEquals(List.of("lost rnic 1", "active rnic 1 none", "lost rnic 1", "active rnic 1 none"), told());
        assertEquals(List.of(true), active());
    }

    @Test
    void shouldLoseAllPortsWhenDeviceIsFatalWhateverItSaysOfThem() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 2);
        registry.add(rnic);
        told();
        rnic.raise(Kind.DEVICE_FATAL, 0, 0);
        assertEquals(List.of("lost rnic 1", "lost rnic 2"), told());
        assertEquals(List.of(false, false), active());
        rnic.raise(Kind.GID_CHANGE, 1, 0);
        assertEquals(List.of("gids rnic 1 1"), told());
        assertEquals(List.of(false, false), active(), "a new GID does not revive it");
        rnic.raise(Kind.PORT_ACTIVE, 1, 0);
        assertEquals(List.of("active rnic 1 none"), told());
        assertEquals(List.of(true, false), active());
    }

    @Test
    void shouldReadGidsAnewWhenTheyChange() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        registry.add(rnic);
        told();
        rnic.removeGids(1);
        rnic.raise(Kind.GID_CHANGE, 1, 0);
        assertEquals(List.of("gids rnic 1 0"), told());
        assertEquals(List.of(), registry.ports().getFirst().port().gids());
    }

    @Test
    void shouldForgetRnicWhenRemoved() {
        ScriptedRnic rnic = new ScriptedRnic("rnic", 1);
        registry.add(rnic);
        told();
        rnic.setAndRaise(1, false);
        registry.removeRnic("rnic");
        registry.removeRnic("rnic");
        assertEquals(List.of("removed rnic"), told(), "the event that was under way is nobody's");
        assertEquals(List.of(), registry.ports());

        ScriptedRnic successor = new ScriptedRnic("rnic", 1);
        registry.add(successor);
        rnic.raise(Kind.DEVICE_FATAL, 0, 0);
        assertEquals(List.of("active rnic 1 none"), told(), "events of the old one do not concern the new one");
        assertEquals(List.of(true), active());
    }

    @Test
    void shouldGivePnetIdOfTheMomentWhenIsmDevicesAreListed() {
        registry.add(Host.ism("ism0", 7, PnetId.NONE));
        assertFalse(registry.ismDevices().getFirst().pnetId().isSet());
        pnetIds.add("NET1", null, "ism0", 1);
        assertEquals(new PnetId("NET1"), registry.ismDevices().getFirst().pnetId());
        assertThrows(IllegalArgumentException.class, () -> registry.add(Host.ism("ism0", 8, PnetId.NONE)));
        registry.removeIsm("ism0");
        registry.removeIsm("ism0");
        assertEquals(List.of("removed ism0"), told());
        assertEquals(List.of(), registry.ismDevices());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Devices that change while they are added, from a thread of their own: the last state must be known in the end. */
    @Test
    void shouldNeverLoseAnEventWhenDevicesChangeWhileTheyAreAdded() throws InterruptedException {
        try (SchedulerThread scheduler = new SchedulerThread("registry")) {
            DeviceRegistry concurrent = new DeviceRegistry(scheduler, pnetIds, recorder(new ArrayList<>()));
            SplittableRandom random = new SplittableRandom(42);
            for (int round = 0; round < 500; round++) {
                ScriptedRnic rnic = new ScriptedRnic("rnic" + round, 1);
                int changes = random.nextInt(1, 20);
                CountDownLatch queried = new CountDownLatch(1);
                // Some of the changes come between the first query and what the registry makes of it.
                rnic.afterNextQuery(() -> {
                    queried.countDown();
                    Thread.yield();
                });
                Thread device = new Thread(() -> {
                    for (int i = 0; i < changes; i++) {
                        if (i == changes / 2) {
                            awaitUninterrupted(queried);
                        }
                        rnic.setAndRaise(1, i % 2 == 1);
                    }
                });
                CountDownLatch added = new CountDownLatch(1);
                device.start();
                scheduler.execute(() -> {
                    concurrent.add(rnic);
                    added.countDown();
                });
                device.join();
                added.await();
                List<Boolean> known = new ArrayList<>();
                CountDownLatch settled = new CountDownLatch(1);
                String name = rnic.name();
                scheduler.execute(() -> {
                    known.add(concurrent.ports().getFirst().isActive());
                    concurrent.removeRnic(name);
                    settled.countDown();
                });
                settled.await();
                assertEquals(List.of(changes % 2 == 0), known, "round " + round);
            }
        }
    }
}
