package org.smc4j.it.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.smc4j.it.support.JavaProcess;

/** What a process with {@code smc.log=info} has said of its links so far. */
final class LinkStates {
    private static final Pattern LINE = Pattern.compile("(?:(\\d+) connections of )?(link \\d+) \\(smc4j-(\\w+) port \\d+, \\w+\\) "
            + "of (link group \\w+) \\(\\w+\\) (is up|is lost|go on by (link \\d+) \\(smc4j-(\\w+) .*)$", Pattern.MULTILINE);

    /** Interfaces of the links that are up, by link. */
    private final Map<String, String> up = new HashMap<>();
    /** How many connections went on by another link, each time that it was more than none. */
    private final List<Integer> moves = new ArrayList<>();
    private int losses;

    private LinkStates(String output) {
        Matcher line = LINE.matcher(output.substring(0, output.lastIndexOf('\n') + 1));
        while (line.find()) {
            String link = line.group(2) + " of " + line.group(4);
            if (line.group(5).equals("is up")) {
                up.put(link, line.group(3));
                continue;
            }
            losses += up.remove(link) == null ? 0 : 1;
            if (line.group(1) != null && !line.group(1).equals("0")) {
                moves.add(Integer.parseInt(line.group(1)));
            }
        }
    }

    static LinkStates of(JavaProcess process) {
        return new LinkStates(process.output());
    }

    /** Whether there is a link on each of so many interfaces. */
    boolean areUp(int interfaces) {
        return new HashSet<>(up.values()).size() == interfaces;
    }

    /** Links that were lost. */
    int losses() {
        return losses;
    }

    List<Integer> moves() {
        return moves;
    }

    @Override
    public String toString() {
        return "up: " + up + ", " + losses + " lost, connections moved: " + moves;
    }
}
