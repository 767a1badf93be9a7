package org.smc4j.carrier;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.PlainFile;

/** A key that hosts prove to each other that they have, without sending it. */
public final class SharedSecret {
    static final int MAC_SIZE = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_SIZE = 16;
    private static final int MAX_SIZE = 4096;
    private static final int ROOT = 0;
    private static final int GROUP_AND_OTHERS = 077;
    private static final int GROUP_WRITES_OR_OTHERS = 027;

    /** The file does not hold a secret, or does not keep it. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1;

        UnusableException(String message) {
            super(message, null, false, false);
        }
    }

    private final SecretKeySpec key;

    /** @param key of any length but 0; the array is copied */
    SharedSecret(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * Reads the secret: all bytes of the file but a line end at its end, 16 to 4096. The mode is checked as ssh checks that of
     * keys: a file of this user must give nothing to group and others. One of root, as mounted into containers, may be read by
     * the group. Waits for the disk.
     *
     * @throws UnusableException if it cannot be read, or others could; the message is for users
     */
    public static SharedSecret load(String path) throws UnusableException {
        int fd = PlainFile.open(path);
        if (fd < 0) {
            throw new UnusableException(path + " cannot be opened: " + Errno.describe(fd));
        }
        try {
            check(path, PlainFile.status(fd));
            return new SharedSecret(read(path, fd));
        } finally {
            Linux.close(fd);
        }
    }

    private static void check(String path, PlainFile.Status status) throws UnusableException {
        if (status == null || !status.regular()) {
            throw new UnusableException(path + " is no regular file");
        }
        int forbidden;
        if (status.uid() == Linux.uid()) {
            forbidden = GROUP_AND_OTHERS;
        } else if (status.uid() == ROOT) {
            forbidden = GROUP_WRITES_OR_OTHERS;
        } else {
            throw new UnusableException(path + " belongs to user " + Integer.toUnsignedString(status.uid()));
        }
        if ((status.permissions() & forbidden) != 0) {
            throw new UnusableException(path + " has mode 0" + Integer.toOctalString(status.permissions())
                    + ", which is open to others");
        }
    }

    private static byte[] read(String path, int fd) throws UnusableException {
        byte[] bytes = new byte[MAX_SIZE + 3];
        int length = 0;
        int result;
        while (length < bytes.length && (result = PlainFile.read(fd, bytes, length)) != 0) {
            if (result < 0) {
                throw new UnusableException(path + " cannot be read: " + Errno.describe(result));
            }
            length += result;
        }
        if (length > 0 && bytes[length - 1] == '\n') {
            length--;
            if (length > 0 && bytes[length - 1] == '\r') {
                length--;
            }
        }
        if (length < MIN_SIZE || length > MAX_SIZE) {
            throw new UnusableException(path + " does not hold " + MIN_SIZE + " to " + MAX_SIZE + " bytes");
        }
        return Arrays.copyOf(bytes, length);
    }

    /** A MAC of all the parts, one after the other. Their boundaries are not part of it. */
    public byte[] mac(byte[]... parts) {
        Mac mac = start();
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    /** A MAC under this key that starts anew after each result. */
    Mac start() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            // Every Java platform has it.
            throw new AssertionError(e);
        }
    }
}
