import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;

/** {@code ADDRESS:PORT TOPIC N}: writes N records of different sizes to the topic's only partition and reads them back. */
final class KafkaContent {
    private static final int LONGEST = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private KafkaContent() {
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", args[0]);
        TopicPartition partition = new TopicPartition(args[1], 0);
        int count = Integer.parseInt(args[2]);
        System.out.println("produced " + count + " " + produce(settings, partition, count));
        System.out.println("consumed " + count + " " + consume(settings, partition, count));
    }

    private static String produce(Map<String, Object> settings, TopicPartition partition, int count) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (var producer = new KafkaProducer<>(settings, new IntegerSerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                byte[] value = Content.of(i, 1 + i * 7919 % LONGEST);
                digest.update(value);
                producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), i, value));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String consume(Map<String, Object> settings, TopicPartition partition, int count) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (var consumer = new KafkaConsumer<>(settings, new IntegerDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            for (int next = 0; next < count;) {
                for (ConsumerRecord<Integer, byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    if (record.key() != next++) {
                        throw new IllegalStateException("record " + record.key() + " in place of " + (next - 1));
                    }
                    digest.update(record.value());
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("only " + next + " of " + count + " records");
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
