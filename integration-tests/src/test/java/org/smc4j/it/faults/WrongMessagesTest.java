package org.smc4j.it.faults;

import static org.smc4j.it.faults.LyingClientTest.assertEchoesOverTcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Linux;

/** A client whose handshake is wrong: the connection goes on over TCP, at worst it is reset once it was switched. */
class WrongMessagesTest extends AttackedStage {
    private static final int FUZZED = Scene.size("smc.it.fuzz", 400);

    WrongMessagesTest() {
        super("wrong-messages");
    }

    @Test
    void shouldStayOnTcpWhenTheDescriptorsAreNotADmbAndADoorbell() throws Exception {
        try (Descriptors made = new Descriptors(stage.scene.directory())) {
            Map<String, int[]> cases = new LinkedHashMap<>();
            made.dmbs().forEach((name, dmb) -> cases.put("DMB: " + name, new int[] {dmb, -1}));
            made.doorbells().forEach((name, doorbell) -> cases.put("doorbell: " + name, new int[] {-1, doorbell}));
            for (Map.Entry<String, int[]> each : cases.entrySet()) {
                try (LyingClient liar = new LyingClient(stage.streamPort).proposed()) {
                    int[] given = each.getValue();
                    liar.confirm(given[0] < 0 ? liar.own.descriptor() : given[0],
                            given[1] < 0 ? liar.ownDoorbell : given[1]);
                    assertEchoesOverTcp(liar, each.getKey());
                }
            }
        }
    }

    @Test
    void shouldStayOnTcpWhenTheNumberOfDescriptorsIsWrong() throws Exception {
        for (int count : new int[] {0, 1, 3, 4, 12, 13}) {
            try (LyingClient liar = new LyingClient(stage.streamPort).proposed()) {
                int[] descriptors = new int[count];
                Arrays.fill(descriptors, liar.own.descriptor());
                sendMany(liar, descriptors);
                assertEchoesOverTcp(liar, count + " descriptors");
            }
        }
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            liar.line.send(Wire.PROPOSAL, 1, liar.tuple, Wire.proposal(), liar.own.descriptor(), liar.ownDoorbell);
            assertEchoesOverTcp(liar, "a Proposal with descriptors");
        }
    }

    /** More than one message of ours may carry go as they fit. */
    private static void sendMany(LyingClient liar, int[] descriptors) {
        liar.confirm(Arrays.copyOf(descriptors, Math.min(descriptors.length, 12)));
    }

    @Test
    void shouldStayOnTcpWhenTheAnswerDoesNotFit() throws Exception {
        Gid gid = Wire.GID;
        int chid = Wire.DEVICE.chid();
        Eid eid = Wire.EID;
        List<byte[]> answers = new ArrayList<>();
        answers.add(Wire.answer(ClcType.CONFIRM, new Gid(1, 2), chid, eid, 1, 2));
        answers.add(Wire.answer(ClcType.CONFIRM, gid, 0xFF00, eid, 1, 2));
        answers.add(Wire.answer(ClcType.CONFIRM, gid, chid, Eid.ueid("OTHER"), 1, 2));
        for (int code : new int[] {0, 1, 3, 6, 7, 15}) {
            answers.add(Wire.answer(ClcType.CONFIRM, gid, chid, eid, -1, code));
        }
        answers.add(Wire.answer(ClcType.ACCEPT, gid, chid, eid, 1, 2));
        answers.add(Wire.proposal());
        answers.add(ClcCodec.encode(ClcDecline.v2(ReasonCode.MEM)));
        answers.add(new byte[0]);
        answers.add(new byte[4096]);
        for (int i = 0; i < answers.size(); i++) {
            try (LyingClient liar = new LyingClient(stage.streamPort).proposed()) {
                liar.line.send(Wire.CONFIRM, liar.id, liar.tuple, answers.get(i), liar.own.descriptor(), liar.ownDoorbell);
                assertEchoesOverTcp(liar, "answer " + i);
            }
        }
    }

    @Test
    void shouldStayOnTcpWhenAMessageIsMalformed() throws Exception {
        byte[] good = Wire.message(Wire.PROPOSAL, 1, new byte[36], Wire.proposal());
        List<byte[]> messages = new ArrayList<>();
        for (int length : new int[] {0, 1, 4, 17, Wire.HEADER - 1, Wire.HEADER, Wire.HEADER + 1, good.length - 1, good.length + 1,
            8192, 8193, 60_000}) {
            messages.add(Arrays.copyOf(good, length));
        }
        for (int type : new int[] {0, 9, 127, 128, 255}) {
            messages.add(Wire.message(type, 1, new byte[36], new byte[0]));
        }
        for (int type = 1; type <= 8; type++) {
            messages.add(Wire.message(type, 1, new byte[36], new byte[0]));
            messages.add(Wire.message(type, -1, new byte[36], new byte[8000]));
        }
        messages.add(ByteBuffer.wrap(good.clone()).putInt(0, ~Wire.MAGIC).array());
        messages.add(ByteBuffer.wrap(good.clone()).put(4, (byte) 2).array());
        messages.add(ByteBuffer.wrap(good.clone()).putShort(Wire.HEADER - 2, (short) -1).array());
        for (int i = 0; i < messages.size(); i++) {
            try (LyingClient liar = new LyingClient(stage.streamPort)) {
                liar.line.send(messages.get(i));
                assertEchoesOverTcp(liar, "message " + i);
            }
        }
    }

    @Test
    void shouldStayOnTcpWhenMessagesComeOutOfOrder() throws Exception {
        Map<String, int[]> sequences = new LinkedHashMap<>();
        sequences.put("Confirm first", new int[] {Wire.CONFIRM});
        sequences.put("Accept from the client", new int[] {Wire.ACCEPT});
        sequences.put("Ready from the client", new int[] {Wire.READY});
        sequences.put("Report from the client", new int[] {Wire.REPORT, Wire.REPORT});
        sequences.put("Decline of nothing", new int[] {Wire.DECLINE});
        sequences.put("Decline of the own Proposal", new int[] {Wire.PROPOSAL, Wire.DECLINE});
        sequences.put("Confirm after Decline", new int[] {Wire.PROPOSAL, Wire.DECLINE, Wire.CONFIRM});
        sequences.put("Ready instead of Confirm", new int[] {Wire.PROPOSAL, Wire.READY});
        sequences.put("Accept instead of Confirm", new int[] {Wire.PROPOSAL, Wire.ACCEPT});
        sequences.put("Check then Decline", new int[] {Wire.CHECK, Wire.PROPOSAL, Wire.CHECK, Wire.DECLINE});
        for (Map.Entry<String, int[]> sequence : sequences.entrySet()) {
            try (LyingClient liar = new LyingClient(stage.streamPort)) {
                send(liar, sequence.getValue());
                assertEchoesOverTcp(liar, sequence.getKey());
            }
        }
    }

    @Test
    void shouldSurviveWhenMessagesComeTwice() throws Exception {
        int[][] sequences = {
            {Wire.PROPOSAL, Wire.PROPOSAL, Wire.DECLINE}, {Wire.PROPOSAL, Wire.PROPOSAL, Wire.CONFIRM},
            {Wire.PROPOSAL, Wire.CONFIRM, Wire.CONFIRM}, {Wire.PROPOSAL, Wire.CONFIRM, Wire.DECLINE},
            {Wire.PROPOSAL, Wire.CONFIRM, Wire.PROPOSAL, Wire.CONFIRM}, {Wire.PROPOSAL, Wire.CONFIRM, Wire.READY},
            {Wire.PROPOSAL, Wire.DECLINE, Wire.DECLINE, Wire.PROPOSAL, Wire.CONFIRM}};
        for (int[] sequence : sequences) {
            for (int port : new int[] {stage.streamPort, stage.channelPort}) {
                try (LyingClient liar = new LyingClient(port)) {
                    send(liar, sequence);
                    LyingClientTest.write(liar, "hello");
                    Thread.sleep(20);
                }
            }
        }
    }

    private static void send(LyingClient liar, int... types) {
        for (int type : types) {
            switch (type) {
                case Wire.PROPOSAL, Wire.CHECK -> liar.line.send(type, 1, liar.tuple, Wire.proposal());
                case Wire.ACCEPT, Wire.CONFIRM -> liar.line.send(type, 1, liar.tuple,
                        Wire.answer(type == Wire.ACCEPT ? ClcType.ACCEPT : ClcType.CONFIRM, liar.own.dmb()),
                        liar.own.descriptor(), liar.ownDoorbell);
                case Wire.DECLINE -> liar.line.send(type, 1, liar.tuple, ClcCodec.encode(ClcDecline.v2(ReasonCode.MEM)));
                default -> liar.line.send(type, 1, liar.tuple, new byte[0]);
            }
            if (type == Wire.PROPOSAL) {
                Sideline.Received answer = liar.line.receive(200);
                if (answer != null) {
                    answer.close();
                }
            }
        }
    }

    @Test
    void shouldSurviveWhenMessagesAreRandom() throws Exception {
        long seed = Scene.seed();
        System.out.println("message seed: " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < FUZZED; i++) {
            boolean confirm = random.nextBoolean();
            try (LyingClient liar = new LyingClient(i % 2 == 0 ? stage.streamPort : stage.channelPort)) {
                byte[] message = Wire.message(Wire.PROPOSAL, 1, liar.tuple, Wire.proposal());
                int[] descriptors = {};
                if (confirm) {
                    liar.proposed();
                    message = Wire.message(Wire.CONFIRM, 1, liar.tuple, Wire.answer(ClcType.CONFIRM, liar.own.dmb()));
                    descriptors = new int[] {liar.own.descriptor(), liar.ownDoorbell};
                }
                for (int flips = random.nextInt(4); flips >= 0; flips--) {
                    message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
                }
                liar.line.send(random.nextInt(10) == 0 ? Arrays.copyOf(message, random.nextInt(message.length)) : message,
                        descriptors);
                LyingClientTest.write(liar, "hello");
            }
        }
        // The last of them are still under way.
        Thread.sleep(Scene.HANDSHAKE_TIMEOUT_MILLIS);
    }
}
