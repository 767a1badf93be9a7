package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An oracle as text: a row holds a pattern for each column, then "->" and what is expected; the first row that fits counts. A
 * pattern is a star, or values between commas.
 */
final class DecisionTable {
    private final List<Row> rows = new ArrayList<>();

    private static final class Row {
        final String text;
        final List<List<String>> patterns;
        final String expected;
        boolean used;

        Row(String text, List<List<String>> patterns, String expected) {
            this.text = text;
            this.patterns = patterns;
            this.expected = expected;
        }

        boolean fits(List<String> values) {
            for (int i = 0; i < patterns.size(); i++) {
                if (!patterns.get(i).contains("*") && !patterns.get(i).contains(values.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** @param domains the values of each column, which patterns are checked against */
    DecisionTable(List<List<String>> domains, String text) {
        for (String line : text.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("#")).toList()) {
            List<String> words = Arrays.asList(line.split("\\s+"));
            int columns = words.indexOf("->");
            if (columns != domains.size() || words.size() != columns + 2) {
                throw new IllegalArgumentException(line);
            }
            List<List<String>> patterns = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                List<String> values = Arrays.asList(words.get(i).split(","));
                if (!values.equals(List.of("*")) && !domains.get(i).containsAll(values)) {
                    throw new IllegalArgumentException(line + ": " + values);
                }
                patterns.add(values);
            }
            rows.add(new Row(line, patterns, words.getLast()));
        }
    }

    String expected(List<String> values) {
        for (Row row : rows) {
            if (row.fits(values)) {
                row.used = true;
                return row.expected;
            }
        }
        throw new AssertionError("no row for " + values);
    }

    /** Rows that no case has reached say nothing. */
    List<String> unused() {
        return rows.stream().filter(row -> !row.used).map(row -> row.text).toList();
    }

    /** Every combination of the values of the columns. */
    static List<List<String>> combinations(List<List<String>> domains) {
        List<List<String>> all = new ArrayList<>();
        all.add(List.of());
        for (List<String> domain : domains) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> shorter : all) {
                for (String value : domain) {
                    List<String> values = new ArrayList<>(shorter);
                    values.add(value);
                    longer.add(values);
                }
            }
            all = longer;
        }
        return all;
    }
}
