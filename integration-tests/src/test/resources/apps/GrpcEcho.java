import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * {@code server ADDRESS PORT}: the standard health service, and one that sends back bytes.
 * {@code client ADDRESS PORT CALLS}: CALLS health checks, CALLS small echoes, 8 of a MiB each and a stream of CALLS messages in
 * both directions.
 */
final class GrpcEcho {
    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
    private static final MethodDescriptor<byte[], byte[]> ECHO = method("one", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> STREAM =
            method("many", MethodDescriptor.MethodType.BIDI_STREAMING);
    private static final int SMALL = 1000;
    private static final int LARGE = 1 << 20;
    private static final int LARGE_CALLS = 8;

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(BYTES, BYTES).setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("echo", name)).build();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("transport " + (Epoll.isAvailable() ? "epoll" : "nio"));
        InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        if (args[0].equals("server")) {
            server(address);
        } else {
            ManagedChannel channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
            client(channel, Integer.parseInt(args[3]));
            channel.shutdown();
            if (!channel.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the channel does not terminate");
            }
        }
    }

    private static void server(InetSocketAddress address) throws Exception {
        ServerServiceDefinition echo = ServerServiceDefinition.builder("echo")
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, replies) -> {
                    replies.onNext(request);
                    replies.onCompleted();
                })).addMethod(STREAM, ServerCalls.asyncBidiStreamingCall(replies -> replies)).build();
        NettyServerBuilder.forAddress(address).addService(new HealthStatusManager().getHealthService()).addService(echo)
                .build().start().awaitTermination();
    }

    private static void client(ManagedChannel channel, int calls) throws Exception {
        HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
        int good = 0;
        for (int i = 0; i < calls; i++) {
            if (health.check(HealthCheckRequest.getDefaultInstance()).getStatusValue() == 1) {
                good++;
            }
        }
        System.out.println("health " + good + "/" + calls + " good");
        System.out.println("small " + echoes(channel, calls, SMALL) + "/" + calls + " good");
        System.out.println("large " + echoes(channel, LARGE_CALLS, LARGE) + "/" + LARGE_CALLS + " good");
        System.out.println("stream " + stream(channel, calls) + "/" + calls + " good");
    }

    private static int echoes(ManagedChannel channel, int calls, int length) {
        int good = 0;
        for (int i = 0; i < calls; i++) {
            byte[] content = Content.of(i, length);
            if (Arrays.equals(content, ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, content))) {
                good++;
            }
        }
        return good;
    }

    private static int stream(ManagedChannel channel, int messages) throws Exception {
        AtomicInteger good = new AtomicInteger();
        CompletableFuture<Void> end = new CompletableFuture<>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(STREAM, CallOptions.DEFAULT), new StreamObserver<byte[]>() {
                    private int next;

                    @Override
                    public void onNext(byte[] reply) {
                        if (Arrays.equals(reply, Content.of(next++, SMALL))) {
                            good.incrementAndGet();
                        }
                    }

                    @Override
                    public void onError(Throwable error) {
                        end.completeExceptionally(error);
                    }

                    @Override
                    public void onCompleted() {
                        end.complete(null);
                    }
                });
        for (int i = 0; i < messages; i++) {
            requests.onNext(Content.of(i, SMALL));
        }
        requests.onCompleted();
        end.get(60, TimeUnit.SECONDS);
        return good.get();
    }
}
