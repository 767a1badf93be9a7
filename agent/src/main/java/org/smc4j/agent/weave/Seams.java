package org.smc4j.agent.weave;

/**
 * Where the agent's calls stand in the JDK's socket code. A class is named without its package, sun.nio.ch.
 *
 * <p>Everything here must be found exactly as it is told, or nothing is woven and all sockets stay plain TCP.
 */
final class Seams {
    /** Calls of these methods are replaced by calls of the method of that name and type in SocketHooks. */
    record Redirect(String in, String owner, String... methods) {
    }

    /** What stands at the edges of a method. */
    enum Kind {
        /** {@code before*} may answer in its place, {@code after*} sees the result; both know the descriptor. */
        TRANSFER,
        /** As TRANSFER, and {@code failed*} sees an exception. */
        TRANSFER_OR_FAIL,
        /** {@code before*} sees the descriptor; no result. */
        BEFORE,
        /** {@code before*} answers 0 to go on; {@code after*} sees the result. */
        FILE_TRANSFER,
        /** {@code after*} sees the field {@code fd}. */
        AFTER,
        /** A result above 0 of {@code quick*} ends the method; channels. */
        QUICK_CHANNEL,
        /** The same for streams. */
        QUICK_STREAM,
        /** {@code beforeSetOption} may take the option; sockets that listen. */
        SET_OPTION,
        /** A result other than null of {@code beforeGetOption} ends the method; sockets that listen. */
        GET_OPTION
    }

    record Edge(String in, String method, String descriptor, Kind kind, String hook) {
    }

    static final String PACKAGE = "sun/nio/ch/";
    private static final String SET = "(Ljava/net/SocketOption;Ljava/lang/Object;)";
    private static final String GET = "(Ljava/net/SocketOption;)Ljava/lang/Object;";

    static final Redirect[] REDIRECTS = {
        new Redirect("SocketChannelImpl", "Net", "connect", "pollConnectNow", "shutdown", "available", "sendOOB"),
        new Redirect("SocketChannelImpl", "Poller", "stopPoll"),
        new Redirect("ServerSocketChannelImpl", "Net", "accept", "listen"),
        new Redirect("NioSocketImpl", "Net", "connect", "pollConnectNow", "accept", "listen", "shutdown", "available", "sendOOB",
                "poll"),
        new Redirect("NioSocketImpl", "Poller", "poll", "stopPoll"),
        new Redirect("SelChImpl", "Net", "poll"),
        new Redirect("SelChImpl", "Poller", "poll"),
        new Redirect("NativeDispatcher", "Poller", "stopPoll"),
        new Redirect("AsynchronousSocketChannelImpl", "Net", "shutdown"),
        new Redirect("AsynchronousServerSocketChannelImpl", "Net", "listen"),
        new Redirect("UnixAsynchronousSocketChannelImpl", "Net", "connect"),
        new Redirect("UnixAsynchronousServerSocketChannelImpl", "Net", "accept"),
        new Redirect("EPollSelectorImpl", "EPoll", "ctl", "wait"),
        new Redirect("EPollSelectorImpl", "FileDispatcherImpl", "closeIntFD"),
        new Redirect("EPollPort", "EPoll", "ctl"),
        new Redirect("EPollPort$EventHandlerTask", "EPoll", "wait"),
        new Redirect("EPollPort", "FileDispatcherImpl", "closeIntFD"),
    };

    static final Edge[] EDGES = {
        new Edge("SocketDispatcher", "read", "(Ljava/io/FileDescriptor;JI)I", Kind.TRANSFER_OR_FAIL, "Read"),
        new Edge("SocketDispatcher", "readv", "(Ljava/io/FileDescriptor;JI)J", Kind.TRANSFER_OR_FAIL, "Readv"),
        new Edge("SocketDispatcher", "write", "(Ljava/io/FileDescriptor;JI)I", Kind.TRANSFER, "Write"),
        new Edge("SocketDispatcher", "writev", "(Ljava/io/FileDescriptor;JI)J", Kind.TRANSFER, "Writev"),
        new Edge("UnixDispatcher", "close", "(Ljava/io/FileDescriptor;)V", Kind.BEFORE, "Close"),
        new Edge("UnixDispatcher", "implPreClose", "(Ljava/io/FileDescriptor;JJ)V", Kind.BEFORE, "PreClose"),
        new Edge("FileChannelImpl", "transferToFileDescriptor", "(JILjava/io/FileDescriptor;)J", Kind.FILE_TRANSFER,
                "Transfer"),
        new Edge("UnixAsynchronousSocketChannelImpl", "setConnected", "()V", Kind.AFTER, "SetConnected"),
        new Edge("SocketChannelImpl", "implRead", "(Ljava/nio/ByteBuffer;)I", Kind.QUICK_CHANNEL, "Read"),
        new Edge("SocketChannelImpl", "implWrite", "(Ljava/nio/ByteBuffer;)I", Kind.QUICK_CHANNEL, "Write"),
        new Edge("NioSocketImpl", "read", "([BII)I", Kind.QUICK_STREAM, "Read"),
        new Edge("NioSocketImpl", "write", "([BII)V", Kind.QUICK_STREAM, "Write"),
        new Edge("NioSocketImpl", "setOption", SET + "V", Kind.SET_OPTION, "SetOption"),
        new Edge("NioSocketImpl", "getOption", GET, Kind.GET_OPTION, "GetOption"),
        new Edge("ServerSocketChannelImpl", "setOption", SET + "Ljava/nio/channels/ServerSocketChannel;",
                Kind.SET_OPTION, "SetOption"),
        new Edge("ServerSocketChannelImpl", "getOption", GET, Kind.GET_OPTION, "GetOption"),
        new Edge("AsynchronousServerSocketChannelImpl", "setOption",
                SET + "Ljava/nio/channels/AsynchronousServerSocketChannel;", Kind.SET_OPTION, "SetOption"),
        new Edge("AsynchronousServerSocketChannelImpl", "getOption", GET, Kind.GET_OPTION, "GetOption"),
    };

    /** The classes that are defined into java.base, in an order in which each finds what it extends. */
    static final String[] HOOKS = {"SocketHandle", "SocketEvents", "HandleTable", "SocketHooks"};

    private Seams() {
    }

    /** All classes that are woven, without package; none twice. */
    static java.util.Set<String> classes() {
        java.util.Set<String> names = new java.util.LinkedHashSet<>();
        for (Edge edge : EDGES) {
            names.add(edge.in);
        }
        for (Redirect redirect : REDIRECTS) {
            names.add(redirect.in);
        }
        return names;
    }
}
