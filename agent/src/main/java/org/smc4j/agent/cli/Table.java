package org.smc4j.agent.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Rows printed in columns that are as wide as they need to be. */
final class Table {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int numbersFrom;
    private final int numbersTo;

    /**
     * @param numbersFrom index of the first column of numbers, which are aligned right
     * @param numbersTo   index after the last of them
     */
    Table(int numbersFrom, int numbersTo, String... headings) {
        this.numbersFrom = numbersFrom;
        this.numbersTo = numbersTo;
        rows.add(headings);
    }

    void add(String... cells) {
        rows.add(cells);
    }

    /** A cell for what may not apply. */
    static String known(String text) {
        return text.isEmpty() ? "-" : text;
    }

    void print(PrintStream out) {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : GAP);
                if (i >= numbersFrom && i < numbersTo) {
                    line.append(padding).append(row[i]);
                } else {
                    line.append(row[i]).append(padding);
                }
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
