package org.smc4j.it.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;

/** A soak connection on an asynchronous channel. */
final class SoakAsync {
    private static final int BUFFER = 32768;

    private final AsynchronousSocketChannel channel;
    private final SoakTalk talk;
    private final Soak.Order order;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final ByteBuffer out = ByteBuffer.allocate(BUFFER);
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
    private boolean said;
    private boolean heard;

    private SoakAsync(AsynchronousSocketChannel channel, SoakTalk talk, Soak.Order order) {
        this.channel = channel;
        this.talk = talk;
        this.order = order;
    }

    static CompletableFuture<Void> run(AsynchronousSocketChannel channel, SoakTalk talk, Soak.Order order) {
        SoakAsync soak = new SoakAsync(channel, talk, order);
        if (order != Soak.Order.LISTEN_FIRST) {
            soak.speak();
        }
        if (order != Soak.Order.SPEAK_FIRST) {
            soak.listen();
        }
        return soak.end;
    }

    private interface Step {
        void next(int n) throws IOException;
    }

    private final class Handler implements CompletionHandler<Integer, Void> {
        private final Step step;

        Handler(Step step) {
            this.step = step;
        }

        @Override
        public void completed(Integer n, Void attachment) {
            try {
                step.next(n);
            } catch (IOException e) {
                fail(e);
            }
        }

        @Override
        public void failed(Throwable e, Void attachment) {
            fail(e);
        }
    }

    private void speak() {
        if (talk.say(out.clear())) {
            out.flip();
            writeRest();
            return;
        }
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            fail(e);
            return;
        }
        if (order == Soak.Order.SPEAK_FIRST) {
            listen();
        }
        over(true);
    }

    private void writeRest() {
        channel.write(out, null, new Handler(n -> {
            if (out.hasRemaining()) {
                writeRest();
            } else {
                speak();
            }
        }));
    }

    private void listen() {
        channel.read(in.clear(), null, new Handler(n -> {
            if (n >= 0) {
                talk.hear(in.flip());
                listen();
                return;
            }
            talk.hearEnd();
            if (order == Soak.Order.LISTEN_FIRST) {
                speak();
            }
            over(false);
        }));
    }

    private void over(boolean speaking) {
        boolean both;
        synchronized (this) {
            said |= speaking;
            heard |= !speaking;
            both = said && heard;
        }
        if (both) {
            close();
            end.complete(null);
        }
    }

    private void fail(Throwable failure) {
        close();
        end.completeExceptionally(failure);
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.out.println("BAD close: " + e);
        }
    }
}
