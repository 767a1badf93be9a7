package org.smc4j.fuzz;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

import org.smc4j.wire.WireException;

/**
 * What holds for every decoder and any bytes: they are a message or the decoder's exception, nothing else is thrown; memory is
 * bounded; bytes around the message do not matter; and a message survives encoding. Also the entry point of the fuzzer, which
 * needs no type of it.
 */
public final class Decoders {
    /** A decoder makes a record per field group, each no more than some times larger than its bytes. */
    private static final long BYTES_PER_CALL = 16 << 10;
    private static final int BYTES_PER_BYTE = 16;
    private static final int MAX_TEXT = 200;
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static FuzzTarget target;

    private Decoders() {
    }

    /** Called by the fuzzer with the name of the target. */
    public static void fuzzerInitialize(String[] arguments) {
        target = FuzzTarget.valueOf(arguments[0]);
    }

    /** Called by the fuzzer with an input. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        check(target, bytes);
        byte[] repaired = target.repaired(bytes);
        if (!Arrays.equals(repaired, bytes)) {
            check(target, repaired);
        }
    }

    /**
     * @return whether the bytes are a message
     * @throws AssertionError if something does not hold
     */
    static boolean check(FuzzTarget target, byte[] bytes) {
        Object message = decode(target, bytes, 0, bytes.length);
        byte[] amidst = new byte[bytes.length + 7];
        Arrays.fill(amidst, (byte) 0x5A);
        System.arraycopy(bytes, 0, amidst, 3, bytes.length);
        require(Objects.equals(message, decode(target, amidst, 3, bytes.length)), "the bytes around it matter", target, bytes);
        requireBoundedMemory(target, bytes);
        if (message == null) {
            return false;
        }
        byte[] encoded = target.encode(message);
        Object again = decode(target, encoded, 0, encoded.length);
        require(message.equals(again), "encoded and decoded it is " + again, target, bytes);
        require(message.hashCode() == again.hashCode(), "equal but of another hash code", target, bytes);
        require(Arrays.equals(encoded, target.encode(again)), "encoded twice it is other bytes", target, bytes);
        return true;
    }

    /** Null if the bytes are refused. */
    private static Object decode(FuzzTarget target, byte[] bytes, int offset, int length) {
        try {
            return Objects.requireNonNull(target.decode(bytes, offset, length));
        } catch (WireException e) {
            require(e.getClass() == target.refusal(), "refused with " + e, target, bytes);
            require(e.getMessage().length() <= MAX_TEXT, "refused at length: " + e, target, bytes);
            return null;
        } catch (RuntimeException e) {
            throw new AssertionError(describe("threw", target, bytes), e);
        }
    }

    /** The second time decides: the first may load classes. */
    private static void requireBoundedMemory(FuzzTarget target, byte[] bytes) {
        long limit = BYTES_PER_CALL + (long) BYTES_PER_BYTE * bytes.length;
        if (allocated(target, bytes) > limit) {
            long allocated = allocated(target, bytes);
            require(allocated <= limit, allocated + " bytes allocated", target, bytes);
        }
    }

    private static long allocated(FuzzTarget target, byte[] bytes) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        decode(target, bytes, 0, bytes.length);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static void require(boolean condition, String otherwise, FuzzTarget target, byte[] bytes) {
        if (!condition) {
            throw new AssertionError(describe(otherwise, target, bytes));
        }
    }

    private static String describe(String what, FuzzTarget target, byte[] bytes) {
        return target + ": " + what + ": " + HexFormat.of().formatHex(bytes);
    }
}
