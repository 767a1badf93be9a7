package org.smc4j.agent;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketHandle;

/**
 * Checks the woven code by use: a descriptor that cannot exist gets a handle that answers in the place of the system call, and
 * the JDK's dispatcher is asked to transfer on it.
 */
final class Probe extends SocketHandle {
    private static final int FD = HandleTable.CAPACITY - 1;
    private static final int ANSWER = 12345;

    private boolean closed;

    private Probe() {
    }

    /** What did not behave as woven, or null. */
    static String mismatch() {
        Probe probe = new Probe();
        HandleTable.put(FD, probe);
        try {
            Class<?> dispatcher = Class.forName("sun.nio.ch.SocketDispatcher", true, null);
            Class<?> utilities = Class.forName("sun.nio.ch.IOUtil", true, null);
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(dispatcher, MethodHandles.lookup());
            Constructor<?> constructor = dispatcher.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            FileDescriptor descriptor = (FileDescriptor) lookup
                    .findStatic(utilities, "newFD", MethodType.methodType(FileDescriptor.class, int.class)).invoke(FD);
            for (String name : new String[] {"read", "write"}) {
                MethodHandle method = lookup.findVirtual(dispatcher, name,
                        MethodType.methodType(int.class, FileDescriptor.class, long.class, int.class));
                if ((int) method.invoke(instance, descriptor, 0L, 1) != ANSWER) {
                    return "sun.nio.ch.SocketDispatcher." + name + " does not ask";
                }
            }
            MethodHandle close = lookup.findVirtual(dispatcher, "close",
                    MethodType.methodType(void.class, FileDescriptor.class));
            try {
                close.invoke(instance, descriptor);
            } catch (IOException expected) {
                // There is no such descriptor; what counts is who was told before that came out.
                return probe.closed ? null : "sun.nio.ch.UnixDispatcher.close does not tell";
            }
            return "sun.nio.ch.UnixDispatcher.close closes what does not exist";
        } catch (Throwable e) {
            return e.toString();
        } finally {
            HandleTable.remove(FD, probe);
        }
    }

    @Override
    public int read(long address, int length) {
        return ANSWER;
    }

    @Override
    public int write(long address, int length) {
        return ANSWER;
    }

    @Override
    public void close() {
        closed = true;
    }
}
