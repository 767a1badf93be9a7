package org.smc4j.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.smc4j.clc.Vectors;

/**
 * Inputs that are kept: in {@code src/test/resources/corpus} one file for each target, one input per line in hexadecimal,
 * shortest first. The fuzzer wants folders with one file per input instead.
 */
final class Corpus {
    private static final HexFormat HEX = HexFormat.of();

    private Corpus() {
    }

    static String fileName(FuzzTarget target) {
        return target.name().toLowerCase(Locale.ROOT) + ".txt";
    }

    /** What was found earlier, and the captured messages. */
    static List<byte[]> of(FuzzTarget target) {
        List<byte[]> inputs = new ArrayList<>();
        try (InputStream in = Corpus.class.getResourceAsStream("/corpus/" + fileName(target))) {
            if (in == null) {
                throw new IllegalStateException("no corpus " + fileName(target));
            }
            new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().map(HEX::parseHex).forEach(inputs::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String kind : target.kinds()) {
            Vectors.ofKind(kind).forEach(message -> inputs.add(message.bytes()));
        }
        return inputs;
    }

    /** Fills a folder, which is made. */
    static void toFolder(List<byte[]> inputs, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (int i = 0; i < inputs.size(); i++) {
            Files.write(folder.resolve(Integer.toString(i)), inputs.get(i));
        }
    }

    /** Makes a file to be kept of a folder. */
    static void fromFolder(Path folder, Path file) throws IOException {
        try (Stream<Path> inputs = Files.list(folder)) {
            Files.write(file, inputs.map(Corpus::hex).distinct()
                    .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())).toList());
        }
    }

    private static String hex(Path input) {
        try {
            return HEX.formatHex(Files.readAllBytes(input));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
