package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.DeleteLink;
import org.smc4j.time.Scheduler;
import org.smc4j.time.SchedulerThread;

/** Several threads connect, close, cut, restore and terminate, each in its own time, over a scheduler in real time. */
@Timeout(60)
class StressTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 400;
    private static final int CONNECTIONS_OF_THREAD = 10;
    private static final long TEST_LINK_NANOS = 100_000_000;
    private static final long SEED = 6;
    private static final int MOST_PAUSE_NANOS = 2_000_000;

    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    /** The scheduler, with what tasks throw kept for the test. */
    private final class Watched implements Scheduler {
        private final Scheduler scheduler;

        private Watched(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        public long nanoTime() {
            return scheduler.nanoTime();
        }

        @Override
        public void execute(Runnable task) {
            scheduler.execute(watched(task));
        }

        @Override
        public Timer schedule(long nanos, Runnable task) {
            return scheduler.schedule(nanos, watched(task));
        }

        private Runnable watched(Runnable task) {
            return () -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    thrown.add(e);
                }
            };
        }
    }

    @Test
    void shouldLeaveNothingBehindWhenManyThreadsDriveTheGroups() throws InterruptedException {
        RandomGenerator.SplittableGenerator random = RandomGeneratorFactory
                .<RandomGenerator.SplittableGenerator>of("L64X128MixRandom").create(SEED);
        try (SchedulerThread thread = new SchedulerThread("link groups")) {
            Scheduler scheduler = new Watched(thread);
            TwoHosts hosts = new TwoHosts(scheduler, random.split(), 2, 2, TEST_LINK_NANOS).version2(2);
            Queue<Connection> connections = new ConcurrentLinkedQueue<>();
            List<Thread> drivers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                RandomGenerator chance = random.split();
                drivers.add(Thread.ofPlatform().start(() -> drive(hosts, connections, chance)));
            }
            for (Thread driver : drivers) {
                driver.join();
            }

            CountDownLatch gone = new CountDownLatch(2);
            scheduler.execute(() -> {
                connections.forEach(StressTest::close);
                hosts.client.terminateAll(DeleteLink.OPERATOR_INITIATED, gone::countDown);
                hosts.server.terminateAll(DeleteLink.OPERATOR_INITIATED, gone::countDown);
            });
            assertTrue(gone.await(20, TimeUnit.SECONDS), () -> "groups left behind, " + thrown);
            CountDownLatch checked = new CountDownLatch(1);
            scheduler.execute(() -> {
                hosts.assertNothingLeft();
                checked.countDown();
            });
            assertTrue(checked.await(5, TimeUnit.SECONDS), thrown::toString);
            assertEquals(List.of(), List.copyOf(thrown));
            assertTrue(connections.stream().anyMatch(Connection::isEstablished));
        }
    }

    private static void drive(TwoHosts hosts, Queue<Connection> connections, RandomGenerator chance) {
        Queue<Connection> own = new ArrayDeque<>();
        for (int i = 0; i < ROUNDS; i++) {
            int port = chance.nextInt(2);
            int percent = chance.nextInt(100);
            if (percent < 45) {
                Connection connection = hosts.connect();
                connections.add(connection);
                own.add(connection);
            } else if (percent < 70 && own.size() > CONNECTIONS_OF_THREAD) {
                Connection oldest = own.remove();
                hosts.scheduler.execute(() -> close(oldest));
            } else {
                hosts.scheduler.execute(() -> disturb(hosts, percent, port));
            }
            pause(hosts.scheduler, chance.nextInt(MOST_PAUSE_NANOS));
        }
    }

    /** Lets time pass on the scheduler, so that it gets no more to do than it can. */
    private static void pause(Scheduler scheduler, long nanos) {
        CountDownLatch over = new CountDownLatch(1);
        scheduler.schedule(nanos, over::countDown);
        try {
            over.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void disturb(TwoHosts hosts, int percent, int port) {
        switch (percent) {
            case 70, 71, 72 -> {
                hosts.clientHost.active(hosts.clientPorts.get(port), false);
                hosts.client.portLost("client" + port, 1);
            }
            case 73, 74, 75 -> {
                hosts.serverHost.active(hosts.serverPorts.get(port), false);
                hosts.server.portLost("server" + port, 1);
            }
            case 76 -> hosts.server.groups().forEach(group -> group.terminate(DeleteLink.PROGRAM_INITIATED));
            case 77 -> hosts.client.groups().forEach(group -> group.terminate(DeleteLink.PROGRAM_INITIATED));
            case 78, 79 -> hosts.clientHost.transports().stream().limit(1).forEach(FakeFabric.FakeTransport::giveUp);
            default -> {
                hosts.clientHost.active(hosts.clientPorts.get(port), true);
                hosts.client.portActive(hosts.clientPorts.get(port));
                hosts.serverHost.active(hosts.serverPorts.get(port), true);
                hosts.server.portActive(hosts.serverPorts.get(port));
            }
        }
    }

    private static void close(Connection connection) {
        for (TestMember end : List.of(connection.clientEnd, connection.serverEnd)) {
            if (end.membership != null) {
                end.membership.leave();
            }
        }
    }
}
