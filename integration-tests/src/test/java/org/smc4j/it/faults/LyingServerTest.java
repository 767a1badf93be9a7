package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.diag.ReasonCode;

/**
 * A server that lies, and an honest client JVM that connects to it again and again. Whatever the server does, the client goes
 * on connecting, and its connections to an honest server are not touched.
 */
@Tag("faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LyingServerTest {
    private static final int CHAOS_RUNS = Scene.size("smc.it.chaos", 8);
    private static final int FUZZED = Scene.size("smc.it.fuzz", 200);

    private static Stage stage;
    private static int port;

    private LyingServer server;

    @BeforeAll
    static void openStage() throws Exception {
        port = Scene.freePort();
        stage = new Stage("lying-server", port);
    }

    @AfterAll
    static void closeStage() throws Exception {
        try (Stage last = stage) {
            last.scene.stop();
        }
    }

    private interface Attack {
        void on(LyingServer.Victim victim) throws Exception;
    }

    private void attack(String name, Attack attack) throws Exception {
        if (server == null) {
            server = new LyingServer(port);
        }
        try (LyingServer.Victim victim = server.next()) {
            attack.on(victim);
            Thread.sleep(15);
        } catch (AssertionError e) {
            throw new AssertionError("before: " + name, e);
        }
    }

    @AfterEach
    void recovered() throws Exception {
        server.close();
        server = null;
        int before = tries();
        stage.assertRecovered();
        Scene.await("the client tries again", Scene.LIMIT, () -> tries() > before);
        Scene.await("only the honest connections are left", Scene.LIMIT,
                () -> Procfs.dmbMappings(stage.client.pid()) <= 8 && Sideline.status(stage.client.pid()).size() <= 4);
    }

    private static int tries() {
        return stage.client.lines("^try (\\d+) .*$").size();
    }

    @Test
    void shouldSurviveWhenACursorIsImpossible() throws Exception {
        int switched = 0;
        for (Map.Entry<String, Ring.Lie> lie : Ring.lies().entrySet()) {
            boolean[] done = new boolean[1];
            attack(lie.getKey(), victim -> {
                done[0] = victim.switched();
                if (done[0]) {
                    lie.getValue().tell(victim.ring());
                    write(victim);
                }
            });
            switched += done[0] ? 1 : 0;
        }
        assertTrue(switched > 40, "connections that were switched: " + switched);
    }

    @Test
    void shouldSurviveWhenAllSharedMemoryChangesAllTheTime() throws Exception {
        long seed = Scene.seed();
        System.out.println("chaos seed: " + seed);
        for (int i = 0; i < CHAOS_RUNS; i++) {
            long runSeed = seed + i;
            attack("chaos", victim -> {
                if (victim.switched()) {
                    write(victim);
                    victim.ring().chaos(runSeed);
                }
            });
        }
    }

    private static void write(LyingServer.Victim victim) {
        try {
            victim.socket.getOutputStream().write("hello".getBytes());
        } catch (IOException e) {
            // The client has closed.
            return;
        }
    }

    @Test
    void shouldSurviveWhenTheDescriptorsAreNotADmbAndADoorbell() throws Exception {
        try (Descriptors made = new Descriptors(stage.scene.directory())) {
            for (Map.Entry<String, Integer> dmb : made.dmbs().entrySet()) {
                attack(dmb.getKey(), victim -> {
                    victim.accept(dmb.getValue(), victim.ownDoorbell);
                    assertDeclined(victim, dmb.getKey());
                });
            }
            for (Map.Entry<String, Integer> doorbell : made.doorbells().entrySet()) {
                attack(doorbell.getKey(), victim -> {
                    victim.accept(victim.own.descriptor(), doorbell.getValue());
                    assertDeclined(victim, doorbell.getKey());
                });
            }
            for (int count : new int[] {0, 1, 3, 4, 12}) {
                attack(count + " descriptors", victim -> {
                    int[] descriptors = new int[count];
                    Arrays.fill(descriptors, victim.own.descriptor());
                    victim.accept(descriptors);
                    assertDeclined(victim, count + " descriptors");
                });
            }
        }
    }

    private static void assertDeclined(LyingServer.Victim victim, String what) {
        Sideline.Received answer = victim.line.receive(1000);
        assertTrue(answer != null, "no answer: " + what);
        answer.close();
        assertEquals(Wire.DECLINE, answer.envelope().type(), what);
    }

    @Test
    void shouldSurviveWhenTheAnswerDoesNotFit() throws Exception {
        Gid gid = Wire.GID;
        int chid = Wire.DEVICE.chid();
        Eid eid = Wire.EID;
        Map<String, byte[]> answers = new LinkedHashMap<>();
        answers.put("GID", Wire.answer(ClcType.ACCEPT, new Gid(1, 2), chid, eid, 1, 2));
        answers.put("CHID", Wire.answer(ClcType.ACCEPT, gid, 0xFF00, eid, 1, 2));
        answers.put("EID", Wire.answer(ClcType.ACCEPT, gid, chid, Eid.ueid("OTHER"), 1, 2));
        for (int code : new int[] {0, 1, 3, 6, 7, 15}) {
            answers.put("size code " + code, Wire.answer(ClcType.ACCEPT, gid, chid, eid, -1, code));
        }
        answers.put("type", Wire.answer(ClcType.CONFIRM, gid, chid, eid, 1, 2));
        answers.put("Proposal", Wire.proposal());
        answers.put("Decline", ClcCodec.encode(ClcDecline.v2(ReasonCode.MEM)));
        answers.put("nothing", new byte[0]);
        answers.put("zeros", new byte[4096]);
        for (Map.Entry<String, byte[]> answer : answers.entrySet()) {
            attack(answer.getKey(), victim -> victim.send(Wire.ACCEPT, answer.getValue(), victim.own.descriptor(),
                    victim.ownDoorbell));
        }
    }

    @Test
    void shouldSurviveWhenMessagesAreOutOfOrderOrMissing() throws Exception {
        byte[] decline = ClcCodec.encode(ClcDecline.v2(ReasonCode.MEM));
        byte[] none = new byte[0];
        Map<String, Attack> attacks = new LinkedHashMap<>();
        attacks.put("silence", victim -> Thread.sleep(50));
        attacks.put("the link ends", victim -> server.dropLink());
        attacks.put("the link ends after Accept", victim -> {
            victim.accept();
            server.dropLink();
        });
        attacks.put("the link ends after Confirm", victim -> {
            victim.confirmed();
            server.dropLink();
            write(victim);
        });
        attacks.put("the link ends after Ready", victim -> {
            victim.switched();
            server.dropLink();
            write(victim);
        });
        attacks.put("never ready", victim -> {
            victim.confirmed();
            write(victim);
        });
        attacks.put("Ready first", victim -> {
            victim.send(Wire.READY, none);
            victim.accept();
        });
        attacks.put("Decline then Accept", victim -> {
            victim.send(Wire.DECLINE, decline);
            victim.accept();
            victim.send(Wire.READY, none);
        });
        attacks.put("Accept twice", victim -> {
            victim.confirmed();
            victim.accept();
            victim.send(Wire.READY, none);
        });
        attacks.put("Accept, then Decline", victim -> {
            victim.confirmed();
            victim.send(Wire.DECLINE, decline);
            write(victim);
        });
        attacks.put("Decline after Ready", victim -> {
            victim.switched();
            victim.send(Wire.DECLINE, decline);
            victim.send(Wire.READY, none);
            write(victim);
        });
        attacks.put("Confirm from the server", victim -> victim.send(Wire.CONFIRM,
                Wire.answer(ClcType.CONFIRM, victim.own.dmb()), victim.own.descriptor(), victim.ownDoorbell));
        attacks.put("Proposal from the server", victim -> victim.send(Wire.PROPOSAL, Wire.proposal()));
        attacks.put("Accept of another id", victim -> victim.line.send(Wire.ACCEPT, victim.id + 1000, victim.tuple,
                Wire.answer(ClcType.ACCEPT, victim.own.dmb()), victim.own.descriptor(), victim.ownDoorbell));
        attacks.put("too long", victim -> victim.line.send(new byte[60_000]));
        attacks.put("unknown type", victim -> victim.send(99, none));
        for (int round = 0; round < 2; round++) {
            for (Map.Entry<String, Attack> each : attacks.entrySet()) {
                attack(each.getKey(), each.getValue());
            }
        }
    }

    @Test
    void shouldSurviveWhenMessagesAreRandom() throws Exception {
        long seed = Scene.seed();
        System.out.println("message seed: " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> types = new ArrayList<>(List.of(Wire.ACCEPT, Wire.READY, Wire.DECLINE));
        for (int i = 0; i < FUZZED; i++) {
            attack("random message " + i, victim -> {
                byte[] message = Wire.message(types.get(random.nextInt(types.size())), victim.id, victim.tuple,
                        Wire.answer(ClcType.ACCEPT, victim.own.dmb()));
                for (int flips = random.nextInt(4); flips >= 0; flips--) {
                    message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
                }
                victim.line.send(random.nextInt(10) == 0 ? Arrays.copyOf(message, random.nextInt(message.length)) : message,
                        victim.own.descriptor(), victim.ownDoorbell);
            });
        }
    }
}
