import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * {@code server ADDRESS PORT}: sends back what it gets and closes after the client's end of data.
 * {@code client ADDRESS PORT CONNECTIONS BYTES}: sends BYTES on each connection at the same time and compares what comes back;
 * the first connection sends a file, which is FileChannel.transferTo in NIO and sendfile in the native transport.
 * Both take the native transport where Netty says that it is available, as applications do.
 */
final class NettyEcho {
    private static final boolean NATIVE = Epoll.isAvailable();

    public static void main(String[] args) throws Exception {
        System.out.println("transport " + (NATIVE ? "epoll" : "nio"));
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(2,
                NATIVE ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        try {
            InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
            if (args[0].equals("server")) {
                server(group, address);
            } else {
                client(group, address, Integer.parseInt(args[3]), Integer.parseInt(args[4]));
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void server(EventLoopGroup group, InetSocketAddress address) throws Exception {
        Class<? extends ServerChannel> type = NATIVE ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        new ServerBootstrap().group(group).channel(type).childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new Echo());
                    }
                }).bind(address).sync().channel().closeFuture().sync();
    }

    private static void client(EventLoopGroup group, InetSocketAddress address, int connections, int length)
            throws Exception {
        List<CompletableFuture<Integer>> replies = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            byte[] content = Content.of(i, length);
            CompletableFuture<Integer> reply = new CompletableFuture<>();
            DuplexChannel channel = (DuplexChannel) new Bootstrap().group(group)
                    .channel(NATIVE ? EpollSocketChannel.class : NioSocketChannel.class)
                    .handler(new Compare(content, reply)).connect(address).sync().channel();
            if (i == 0) {
                Path file = Files.createTempFile(Path.of("."), "content", ".bin");
                Files.write(file, content);
                channel.writeAndFlush(new DefaultFileRegion(file.toFile(), 0, length));
            } else {
                // Pieces of all sizes from one byte on, none a power of two.
                for (int from = 0, size = 1; from < length; from += size) {
                    size = Math.min(size % 100_000 * 3 + 1, length - from);
                    channel.write(Unpooled.wrappedBuffer(content, from, size));
                    if (size % 2 == 0) {
                        channel.flush();
                    }
                }
            }
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> channel.shutdownOutput());
            replies.add(reply);
        }
        int good = 0;
        for (CompletableFuture<Integer> reply : replies) {
            if (reply.get(60, TimeUnit.SECONDS) == length) {
                good++;
            }
        }
        System.out.println("echo " + good + "/" + connections + " good");
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        // Read no faster than the client takes it, or the whole content piles up here.
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    /** Completes with the number of bytes that came back before the end of data, all of them right. */
    private static final class Compare extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteBuf expected;
        private final CompletableFuture<Integer> reply;
        private int at;

        Compare(byte[] content, CompletableFuture<Integer> reply) {
            expected = Unpooled.wrappedBuffer(content);
            this.reply = reply;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf got) {
            int size = got.readableBytes();
            if (at + size > expected.capacity() || !got.equals(expected.slice(at, size))) {
                reply.completeExceptionally(new IllegalStateException("wrong content from byte " + at));
            }
            at += size;
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            reply.complete(at);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            reply.completeExceptionally(cause);
        }
    }
}
