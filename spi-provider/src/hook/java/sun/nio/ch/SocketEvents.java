package sun.nio.ch;

import java.net.InetSocketAddress;

/** What the woven socket code reports about sockets that nobody tracks yet, and what it asks about epoll instances. */
public abstract class SocketEvents {
    /** The descriptor was connected by this process. */
    public abstract void connected(int fd);

    /** The descriptor was accepted. */
    public abstract void accepted(int listener, int fd, InetSocketAddress remote);

    /** The descriptor is about to listen. */
    public abstract void listening(int fd, InetSocketAddress local);

    /** It could not. */
    public abstract void notListening(int fd);

    /** Sets an option of a socket that listens or may come to; false if there is no such option for it. */
    public abstract boolean setListenerOption(int fd, String option, Object value);

    /** The value of such an option, null if there is no such option for the socket. */
    public abstract Object listenerOption(int fd, String option);

    public abstract int epollControl(int epoll, int operation, int fd, int events);

    public abstract int epollWait(int epoll, long events, int capacity, int millis) throws java.io.IOException;

    public abstract void epollClosed(int epoll);
}
