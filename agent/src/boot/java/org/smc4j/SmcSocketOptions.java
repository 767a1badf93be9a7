package org.smc4j;

import java.net.SocketOption;

/**
 * Socket options of SMC, for applications that know of it. A socket of a JVM without the agent, or of another kind than
 * an option is for, answers as to any option that it does not know, with {@link UnsupportedOperationException}; {@code
 * supportedOptions()} does not list them.
 */
public final class SmcSocketOptions {
    /**
     * Whether connections to a listening socket stay TCP while too many handshakes are waiting; the kernel's option of
     * that name. For {@code ServerSocket}, {@code ServerSocketChannel} and {@code AsynchronousServerSocketChannel} of
     * IP, before or after bind; concerns handshakes that begin afterwards. Until it is set, the setting {@code
     * net.smc.limit_smc_hs} holds.
     */
    public static final SocketOption<Boolean> SMC_LIMIT_HS = new Flag("SMC_LIMIT_HS");

    private SmcSocketOptions() {
    }

    private static final class Flag implements SocketOption<Boolean> {
        private final String name;

        Flag(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Class<Boolean> type() {
            return Boolean.class;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
