package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reading a file whose owner and mode matter: they are asked of the open descriptor, so that nobody can swap the file between. */
public final class PlainFile {
    private static final int AT_FDCWD = -100;
    private static final int AT_EMPTY_PATH = 0x1000;
    // Without O_NONBLOCK opening a FIFO waits for its writer.
    private static final int OPEN_FLAGS = 0x80000 | 0x800;
    private static final int STATX_TYPE_MODE_UID_SIZE = 0x1 | 0x2 | 0x8 | 0x200;
    private static final int STATX_SIZE = 256;
    private static final int UID_OFFSET = 20;
    private static final int MODE_OFFSET = 28;
    private static final int LENGTH_OFFSET = 40;
    private static final int TYPE_MASK = 0xF000;
    private static final int REGULAR = 0x8000;

    private PlainFile() {
    }

    /**
     * Who may do what with an open file.
     *
     * @param uid         the owner, unsigned
     * @param permissions the lower twelve bits of the mode
     * @param length      in bytes; means something for regular files only
     */
    public record Status(boolean regular, int uid, int permissions, long length) {
    }

    /** Opens for reading, close-on-exec; follows symbolic links. The descriptor or a negated errno. May wait for a disk. */
    public static int open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) Syscall.call(Syscall.OPENAT, AT_FDCWD, arena.allocateFrom(path).address(), OPEN_FLAGS);
        }
    }

    /** The status of an open file, or null if the kernel does not tell. */
    public static Status status(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(STATX_SIZE, 8);
            long result = Syscall.call(Syscall.STATX, fd, arena.allocateFrom("").address(), AT_EMPTY_PATH,
                    STATX_TYPE_MODE_UID_SIZE, status.address(), 0);
            if (result < 0) {
                return null;
            }
            int mode = Short.toUnsignedInt(status.get(ValueLayout.JAVA_SHORT, MODE_OFFSET));
            return new Status((mode & TYPE_MASK) == REGULAR, status.get(ValueLayout.JAVA_INT, UID_OFFSET), mode & 0xFFF,
                    status.get(ValueLayout.JAVA_LONG, LENGTH_OFFSET));
        }
    }

    /** Reads into the array from {@code offset} on: the number of bytes, 0 at the end, or a negated errno. May wait for a disk. */
    public static int read(int fd, byte[] bytes, int offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(1, bytes.length - offset));
            int result = (int) Syscall.call(Syscall.READ, fd, buffer.address(), bytes.length - offset);
            if (result > 0) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, offset, result);
            }
            return result;
        }
    }
}
