package sun.nio.ch;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import jdk.internal.access.JavaIOFileDescriptorAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;

/**
 * The calls that are woven into the JDK's socket code. Those named like a method of the JDK stand in its place at the call
 * sites; {@code beforeX}, {@code afterX} and {@code failedX} stand at the edges of a method.
 *
 * <p>A descriptor without a handle costs two array loads; nothing here changes what the JDK does with it.
 */
public final class SocketHooks {
    private static final JavaIOFileDescriptorAccess FD = SharedSecrets.getJavaIOFileDescriptorAccess();
    /** For structures of the kernel; the first socket of a process does not wait for memory segments to be linked. */
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int PROCEED = SocketHandle.PROCEED;
    private static final int IOVEC_SIZE = 16;
    private static final int PROBE_SIZE = 16;
    private static final String OPTION_PREFIX = "SMC_";

    private static volatile SocketEvents events;
    /**
     * Whether a virtual thread has waited for TCP. Until then the JDK's poller must not be touched: that would start it, which
     * needs descriptors and fails for the rest of the process if there are none.
     */
    private static volatile boolean pollerInUse;

    private SocketHooks() {
    }

    /** Called by the agent before any class that calls this is woven; with null if sockets are to stay the JDK's. */
    public static void activate(SocketEvents implementation) {
        events = implementation;
    }

    /** Allows our native calls, and those of everything else on the class path, without a warning. */
    public static void enableNativeAccess() {
        SharedSecrets.getJavaLangAccess().addEnableNativeAccessToAllUnnamed();
    }

    private static SocketHandle handle(FileDescriptor fd) {
        return HandleTable.get(FD.get(fd));
    }

    // -- SocketDispatcher --

    public static int beforeRead(FileDescriptor fd, long address, int length) throws IOException {
        SocketHandle handle = handle(fd);
        return handle == null ? PROCEED : handle.read(address, length);
    }

    public static int afterRead(int n, FileDescriptor fd) {
        return (int) afterReadv(n, fd);
    }

    public static long beforeReadv(FileDescriptor fd, long vector, int count) throws IOException {
        SocketHandle handle = handle(fd);
        if (handle == null) {
            return PROCEED;
        }
        long total = 0;
        for (int i = 0; i < count; i++) {
            long entry = vector + (long) i * IOVEC_SIZE;
            int length = length(entry);
            if (length == 0) {
                continue;
            }
            int n;
            try {
                n = handle.read(base(entry), length);
            } catch (IOException e) {
                if (total > 0) {
                    // What was read comes first; the error is still there for the next read.
                    return total;
                }
                throw e;
            }
            if (n <= 0) {
                // PROCEED can only be the answer to the first piece: nothing goes back to TCP.
                return total > 0 ? total : n;
            }
            total += n;
            if (n < length) {
                break;
            }
        }
        return total;
    }

    public static long afterReadv(long n, FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        return handle == null ? n : handle.readDone(n);
    }

    public static void failedRead(FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        if (handle != null) {
            handle.readDone(IOStatus.UNAVAILABLE);
        }
    }

    public static int beforeWrite(FileDescriptor fd, long address, int length) throws IOException {
        SocketHandle handle = handle(fd);
        return handle == null ? PROCEED : handle.write(address, length);
    }

    public static int afterWrite(int n, FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        if (handle != null) {
            handle.writeDone(n);
        }
        return n;
    }

    public static long beforeWritev(FileDescriptor fd, long vector, int count) throws IOException {
        SocketHandle handle = handle(fd);
        if (handle == null) {
            return PROCEED;
        }
        long total = 0;
        for (int i = 0; i < count; i++) {
            long entry = vector + (long) i * IOVEC_SIZE;
            int length = length(entry);
            if (length == 0) {
                continue;
            }
            int n = handle.write(base(entry), length);
            if (n <= 0) {
                return total > 0 ? total : n;
            }
            total += n;
            if (n < length) {
                break;
            }
        }
        return total;
    }

    public static long afterWritev(long n, FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        if (handle != null) {
            handle.writeDone(n);
        }
        return n;
    }

    private static long base(long entry) {
        return UNSAFE.getLong(entry);
    }

    private static int length(long entry) {
        return (int) Math.min(UNSAFE.getLong(entry + 8), Integer.MAX_VALUE);
    }

    public static void beforeClose(FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        if (handle != null) {
            handle.close();
        }
    }

    public static void beforePreClose(FileDescriptor fd) {
        SocketHandle handle = handle(fd);
        if (handle != null) {
            handle.preClose();
        }
    }

    // -- Short cuts around the JDK's bookkeeping for operations that complete at once --

    public static int quickRead(SocketChannelImpl channel, int fd, ReentrantLock lock, ByteBuffer target) {
        SocketHandle handle = HandleTable.get(fd);
        if (handle == null || !handle.isReadSwitched() || target == null || !channel.isOpen() || lock.isLocked()
                || Thread.currentThread().isInterrupted()) {
            return 0;
        }
        int position = target.position();
        int length = target.limit() - position;
        if (length == 0 || target.isReadOnly()) {
            return 0;
        }
        int n = handle.readQuickly(MemorySegment.ofBuffer(target), 0, length);
        if (n > 0) {
            target.position(position + n);
        }
        return n;
    }

    public static int quickWrite(SocketChannelImpl channel, int fd, ReentrantLock lock, ByteBuffer source) {
        SocketHandle handle = HandleTable.get(fd);
        if (handle == null || !handle.isWriteSwitched() || source == null || !channel.isOpen() || lock.isLocked()
                || Thread.currentThread().isInterrupted()) {
            return 0;
        }
        int position = source.position();
        int length = source.limit() - position;
        if (length == 0) {
            return 0;
        }
        int n = handle.writeQuickly(MemorySegment.ofBuffer(source), 0, length, lock);
        if (n > 0) {
            source.position(position + n);
        }
        return n;
    }

    public static int quickRead(FileDescriptor fd, ReentrantLock lock, byte[] target, int offset, int length) {
        SocketHandle handle = fd == null ? null : handle(fd);
        if (handle == null || !handle.isReadSwitched() || lock.isLocked() || target == null || length <= 0
                || offset < 0 || offset > target.length - length || Thread.currentThread().isInterrupted()) {
            return 0;
        }
        return handle.readQuickly(MemorySegment.ofArray(target), offset, length);
    }

    public static int quickWrite(FileDescriptor fd, ReentrantLock lock, byte[] source, int offset, int length) {
        SocketHandle handle = fd == null ? null : handle(fd);
        if (handle == null || !handle.isWriteSwitched() || lock.isLocked() || source == null || length <= 0
                || offset < 0 || offset > source.length - length || Thread.currentThread().isInterrupted()) {
            return 0;
        }
        return handle.writeQuickly(MemorySegment.ofArray(source), offset, length, lock);
    }

    // -- In the place of sun.nio.ch.Net --

    public static int connect(ProtocolFamily family, FileDescriptor fd, SocketAddress remote) throws IOException {
        return connected(fd, Net.connect(family, fd, remote));
    }

    public static int connect(ProtocolFamily family, FileDescriptor fd, InetAddress remote, int port) throws IOException {
        return connected(fd, Net.connect(family, fd, remote, port));
    }

    public static int connect(FileDescriptor fd, InetAddress remote, int port) throws IOException {
        return connected(fd, Net.connect(fd, remote, port));
    }

    private static int connected(FileDescriptor fd, int result) {
        if (result > 0) {
            afterSetConnected(fd);
        }
        return result;
    }

    public static boolean pollConnectNow(FileDescriptor fd) throws IOException {
        boolean connected = Net.pollConnectNow(fd);
        if (connected) {
            afterSetConnected(fd);
        }
        return connected;
    }

    /** Also at the end of the asynchronous channel's setConnected, which has its own way of polling. */
    public static void afterSetConnected(FileDescriptor fd) {
        SocketEvents current = events;
        if (current != null) {
            current.connected(FD.get(fd));
        }
    }

    public static int accept(FileDescriptor fd, FileDescriptor accepted, InetSocketAddress[] remote) throws IOException {
        int n = Net.accept(fd, accepted, remote);
        if (n > 0) {
            SocketEvents current = events;
            if (current != null) {
                current.accepted(FD.get(fd), FD.get(accepted), remote[0]);
            }
        }
        return n;
    }

    public static void listen(FileDescriptor fd, int backlog) throws IOException {
        SocketEvents current = events;
        if (current == null) {
            Net.listen(fd, backlog);
            return;
        }
        // Before it does: a client that has waited for that may connect, and look for the name, at once.
        current.listening(FD.get(fd), Net.localAddress(fd));
        boolean listens = false;
        try {
            Net.listen(fd, backlog);
            listens = true;
        } finally {
            if (!listens) {
                current.notListening(FD.get(fd));
            }
        }
    }

    // -- Options of listeners --

    /** @return true if the option is ours and set */
    public static boolean beforeSetOption(Object socket, FileDescriptor fd, SocketOption<?> option, Object value)
            throws IOException {
        SocketEvents current = listenerEvents(socket, fd, option);
        return current != null && current.setListenerOption(FD.get(fd), option.name(), value);
    }

    /** @return the value if the option is ours, else null */
    public static Object beforeGetOption(Object socket, FileDescriptor fd, SocketOption<?> option) throws IOException {
        SocketEvents current = listenerEvents(socket, fd, option);
        return current == null ? null : current.listenerOption(FD.get(fd), option.name());
    }

    private static SocketEvents listenerEvents(Object socket, FileDescriptor fd, SocketOption<?> option)
            throws IOException {
        if (fd == null || option == null || !option.name().startsWith(OPTION_PREFIX)) {
            return null;
        }
        if (socket instanceof Channel channel && !channel.isOpen()) {
            // Its descriptor may be another socket's by now.
            throw new ClosedChannelException();
        }
        return events;
    }

    public static void shutdown(FileDescriptor fd, int how) throws IOException {
        SocketHandle handle = handle(fd);
        if (handle == null || !handle.shutdown(how)) {
            Net.shutdown(fd, how);
        }
    }

    public static int available(FileDescriptor fd) throws IOException {
        SocketHandle handle = handle(fd);
        int n = handle == null ? PROCEED : handle.available();
        return n == PROCEED ? Net.available(fd) : n;
    }

    public static int sendOOB(FileDescriptor fd, byte value) throws IOException {
        SocketHandle handle = handle(fd);
        int n = handle == null ? PROCEED : handle.writeUrgent(value);
        return n == PROCEED ? Net.sendOOB(fd, value) : n;
    }

    public static int poll(FileDescriptor fd, int event, long millis) throws IOException {
        SocketHandle handle = handle(fd);
        if (handle == null) {
            return Net.poll(fd, event, millis);
        }
        int n = handle.poll(event, millis);
        if (n != PROCEED) {
            return n;
        }
        try {
            return Net.poll(fd, event, millis);
        } finally {
            handle.pollDone(event);
        }
    }

    /** Whether the TCP socket itself is ready, now. */
    public static boolean isTcpReady(int fd, int event) {
        try {
            return Net.poll(IOUtil.newFD(fd), event, 0) != 0;
        } catch (IOException e) {
            // The error is for the operation that follows.
            return true;
        }
    }

    // -- In the place of sun.nio.ch.Poller --

    public static void poll(int fd, int event, long nanos, BooleanSupplier open) throws IOException {
        SocketHandle handle = HandleTable.get(fd);
        if (handle == null) {
            Poller.poll(fd, event, nanos, open);
        } else if (!handle.parkVirtual(event, nanos)) {
            // The poller asks once more after it has registered: a connection that left TCP meanwhile must not be parked there.
            Poller.poll(fd, event, nanos, () -> {
                if (!pollerInUse) {
                    pollerInUse = true;
                }
                return open.getAsBoolean() && !handle.isAttached();
            });
        }
    }

    public static void stopPoll(int fd, int event) {
        SocketHandle handle = HandleTable.get(fd);
        if (handle != null) {
            handle.stopPoll();
        }
        Poller.stopPoll(fd, event);
    }

    public static void stopPoll(int fd) {
        SocketHandle handle = HandleTable.get(fd);
        if (handle != null) {
            // The only caller closes the descriptor.
            handle.preClose();
            handle.stopPoll();
        }
        Poller.stopPoll(fd);
    }

    /** Makes a virtual thread that the JDK's poller has parked look again; the connection must be attached by then. */
    public static void unparkJdkPoller(int fd) {
        if (pollerInUse) {
            Poller.stopPoll(fd);
        }
    }

    // -- In the place of sun.nio.ch.EPoll --

    public static int ctl(int epoll, int operation, int fd, int interest) {
        SocketEvents current = events;
        return current == null ? EPoll.ctl(epoll, operation, fd, interest)
                : current.epollControl(epoll, operation, fd, interest);
    }

    public static int wait(int epoll, long address, int capacity, int millis) throws IOException {
        SocketEvents current = events;
        return current == null ? EPoll.wait(epoll, address, capacity, millis)
                : current.epollWait(epoll, address, capacity, millis);
    }

    public static void closeIntFD(int fd) throws IOException {
        SocketEvents current = events;
        if (current != null) {
            current.epollClosed(fd);
        }
        FileDispatcherImpl.closeIntFD(fd);
    }

    // -- FileChannelImpl --

    /** A status other than 0 is the result of the transfer. */
    public static long beforeTransfer(FileDescriptor target) {
        SocketHandle handle = handle(target);
        return handle != null && handle.divertsTransfer() ? IOStatus.UNSUPPORTED_CASE : 0;
    }

    public static long afterTransfer(long n, FileDescriptor target) {
        SocketHandle handle = handle(target);
        if (handle != null) {
            handle.writeDone(n);
        }
        return n;
    }

    // -- The kernel's own, for the implementation --

    public static int kernelControl(int epoll, int operation, int fd, int interest) {
        return EPoll.ctl(epoll, operation, fd, interest);
    }

    public static int kernelWait(int epoll, long address, int capacity, int millis) throws IOException {
        return EPoll.wait(epoll, address, capacity, millis);
    }

    /** Where the i-th event lies in an array that epoll_wait filled. */
    public static long event(long address, int index) {
        return EPoll.getEvent(address, index);
    }

    public static int eventDescriptor(long event) {
        return EPoll.getDescriptor(event);
    }

    public static int eventBits(long event) {
        return EPoll.getEvents(event);
    }

    /** Writes the i-th event of such an array. */
    public static void putEvent(long address, int index, int fd, int bits) {
        long event = EPoll.getEvent(address, index);
        UNSAFE.putInt(event, bits);
        UNSAFE.putInt(event + DATA_OFFSET, fd);
    }

    private static final long DATA_OFFSET = dataOffset();

    /** Found by use: the first event's descriptor is where EPoll finds it. */
    private static long dataOffset() {
        long probe = UNSAFE.allocateMemory(PROBE_SIZE);
        try {
            for (int offset = 4; offset <= 12; offset += 4) {
                UNSAFE.setMemory(probe, PROBE_SIZE, (byte) 0);
                UNSAFE.putInt(probe + offset, 0x5A5A);
                if (EPoll.getDescriptor(probe) == 0x5A5A) {
                    return offset;
                }
            }
        } finally {
            UNSAFE.freeMemory(probe);
        }
        throw new IllegalStateException("sun.nio.ch.EPoll keeps the descriptor of an event nowhere");
    }

    /** The calling native thread, for {@link #signal}; 0 for a virtual thread. */
    public static long nativeThread() {
        long thread = NativeThread.current();
        return thread == -1 ? 0 : thread;
    }

    /** Interrupts a system call of a native thread. The thread must not have ended. */
    public static void signal(long nativeThread) {
        NativeThread.signal(nativeThread);
    }

    public static IOException connectionReset() {
        return new sun.net.ConnectionResetException("Connection reset");
    }

    public static short pollIn() {
        return Net.POLLIN;
    }

    public static short pollOut() {
        return Net.POLLOUT;
    }

    public static short pollError() {
        return Net.POLLERR;
    }

    public static short pollHangup() {
        return Net.POLLHUP;
    }
}
