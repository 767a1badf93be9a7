package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

/** A Kafka broker with its own command line tools, and records whose content is compared. */
class KafkaTest extends ApplicationContract {
    private static final int RECORDS = 50_000;
    private static final int RECORD_BYTES = 1024;
    private static final int CHECKED_RECORDS = 5000;
    private static final long PAYLOAD = (long) RECORDS * RECORD_BYTES;
    // Two of the JVMs are gone before the second compiler pays.
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";
    private static final String TOOLS = "org.apache.kafka.tools.";

    @Override
    List<String> expected() {
        return List.of("Created topic perf.", RECORDS + " records sent", "consumed " + RECORDS,
                "content of " + CHECKED_RECORDS + " records is the same");
    }

    @Override
    List<String> results(Run run) throws Exception {
        List<Path> classPath = MavenArtifacts.classPath("kafka", "KafkaContent.java", "Content.java");
        String bootstrap = broker(run, classPath);
        List<String> results = new ArrayList<>();
        JavaProcess tool = run.start(run.java("topic", Host.TWO, classPath).options(SHORT_LIVED).main(TOOLS + "TopicCommand")
                .args("--bootstrap-server", bootstrap, "--create", "--topic", "perf", "--partitions", 2,
                        "--replication-factor", 1));
        tool.awaitSuccess(Run.LIMIT);
        results.addAll(tool.lines("^Created topic .*$"));

        JavaProcess producer = run.start(run.java("producer", Host.TWO, classPath).main(TOOLS + "ProducerPerformance")
                .args("--topic", "perf", "--num-records", RECORDS, "--record-size", RECORD_BYTES, "--throughput", -1,
                        "--producer-props", "bootstrap.servers=" + bootstrap, "acks=1"));
        producer.awaitSuccess(Run.LIMIT);
        results.add(producer.lines("^\\d+ records sent").getLast());

        JavaProcess consumer = run.start(run.java("consumer", Host.TWO, classPath).main(TOOLS + "ConsumerPerformance")
                .args("--bootstrap-server", bootstrap, "--topic", "perf", "--messages", RECORDS));
        consumer.awaitSuccess(Run.LIMIT);
        // Columns: start, end, MB, MB/s, messages, ...
        results.add("consumed " + consumer.lines("^\\d{4}-\\d\\d-\\d\\d .*$").getLast().split(", ")[4]);

        // The broker makes the topic on first use, with one partition.
        JavaProcess checker = run.start(run.java("checker", Host.TWO, classPath).main("KafkaContent")
                .args(bootstrap, "checked", CHECKED_RECORDS));
        checker.awaitSuccess(Run.LIMIT);
        assertEquals(checker.lines("^produced (.*)$"), checker.lines("^consumed (.*)$"));
        results.add("content of " + checker.lines("^consumed (\\d+) ").getFirst() + " records is the same");
        return results;
    }

    @Override
    void verifyCounters(Run run) {
        assertOnlySmc(run, "topic", 1, 1);
        assertOnlySmc(run, "producer", PAYLOAD, 1);
        assertOnlySmc(run, "consumer", 1, PAYLOAD);
        assertOnlySmc(run, "checker", 1, 1);
        // The broker also talks to the controller in its own JVM, by whatever way.
        assertSmc(run, "broker", PAYLOAD, PAYLOAD);
    }

    private static String broker(Run run, List<Path> classPath) throws Exception {
        int port = Ports.free();
        String address = run.address(Host.ONE) + ":" + port;
        String controller = run.address(Host.ONE) + ":" + Ports.free();
        Path settings = run.directory().resolve("server.properties");
        Files.write(settings, List.of("process.roles=broker,controller", "node.id=1",
                "controller.quorum.voters=1@" + controller,
                "listeners=PLAINTEXT://" + address + ",CONTROLLER://" + controller,
                "advertised.listeners=PLAINTEXT://" + address, "controller.listener.names=CONTROLLER",
                "log.dirs=" + run.directory().resolve("data"), "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1", "group.initial.rebalance.delay.ms=0"));
        run.complete(run.java("format", Host.ONE, classPath).options(SHORT_LIVED).main("kafka.tools.StorageTool")
                .args("format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", settings));
        JavaProcess broker = run.start(run.java("broker", Host.ONE, classPath).main("kafka.Kafka").args(settings));
        broker.awaitPort(port, Run.LIMIT);
        return address;
    }
}
