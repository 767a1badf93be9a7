package org.smc4j.it.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;

/** Descriptors that a liar passes in place of those of a DMB and of a doorbell. */
final class Descriptors implements AutoCloseable {
    private static final int F_SETFL = 4;
    private static final int F_SEAL_WRITE = 8;
    private static final int PIPE_CAPACITY_IN_LONGS = 65536 / 8;
    private static final long LENGTH = Dmb.length(65536);
    private static final int SEALS = Linux.F_SEAL_SHRINK | Linux.F_SEAL_GROW;

    private final Path directory;
    private final List<Integer> open = new ArrayList<>();

    Descriptors(Path directory) {
        this.directory = directory;
    }

    /** For a DMB of 64 KiB. */
    Map<String, Integer> dmbs() {
        Map<String, Integer> made = new LinkedHashMap<>();
        made.put("memfd without seals", memory(LENGTH, 0));
        made.put("memfd that may grow", memory(LENGTH, Linux.F_SEAL_SHRINK));
        made.put("memfd that may shrink", memory(LENGTH, Linux.F_SEAL_GROW));
        made.put("short memfd", memory(LENGTH - 1, SEALS));
        made.put("memfd without device page", memory(65536, SEALS));
        made.put("long memfd", memory(LENGTH + 4096, SEALS));
        made.put("empty memfd", memory(0, SEALS));
        made.put("memfd that cannot be written", memory(LENGTH, SEALS | F_SEAL_WRITE));
        made.put("eventfd", keep(Linux.eventfd()));
        made.put("pipe", pipe()[0]);
        made.put("socket", socket());
        int file = file();
        Linux.ftruncate(file, LENGTH);
        made.put("file", file);
        return made;
    }

    Map<String, Integer> doorbells() {
        Map<String, Integer> made = new LinkedHashMap<>();
        int[] pipe = pipe();
        for (int i = 0; i < PIPE_CAPACITY_IN_LONGS; i++) {
            Linux.signal(pipe[1]);
        }
        made.put("full pipe that blocks", pipe[1]);
        made.put("end of a pipe that cannot be written", pipe()[0]);
        made.put("socket", socket());
        made.put("file", file());
        made.put("memfd", memory(LENGTH, SEALS));
        int blocking = keep(Linux.eventfd());
        Linux.fcntl(blocking, F_SETFL, 0);
        made.put("eventfd that blocks", blocking);
        return made;
    }

    private int memory(long length, int seals) {
        int descriptor = keep(Linux.memfdCreate("liar"));
        Linux.ftruncate(descriptor, length);
        if (seals != 0) {
            Linux.fcntl(descriptor, Linux.F_ADD_SEALS, seals);
        }
        return descriptor;
    }

    private int[] pipe() {
        int[] ends = Native.pipe();
        keep(ends[0]);
        keep(ends[1]);
        return ends;
    }

    private int socket() {
        int[] ends = Native.socketPair();
        keep(ends[1]);
        return keep(ends[0]);
    }

    private int file() {
        return keep(Native.file(directory.resolve("file" + open.size())));
    }

    private int keep(int descriptor) {
        open.add(descriptor);
        return descriptor;
    }

    @Override
    public void close() {
        open.forEach(Linux::close);
    }
}
