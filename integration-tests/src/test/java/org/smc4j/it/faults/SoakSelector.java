package org.smc4j.it.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One selector and its thread for all soak connections of this kind. */
final class SoakSelector implements Runnable {
    private static final int BUFFER = 32768;

    private record Fresh(SocketChannel channel, State state) {
    }

    private static final class State {
        final SoakTalk talk;
        final Soak.Order order;
        final CompletableFuture<Void> end = new CompletableFuture<>();
        final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER).limit(0);
        boolean said;
        boolean heard;

        State(SoakTalk talk, Soak.Order order) {
            this.talk = talk;
            this.order = order;
        }

        boolean speaks() {
            return !said && (order != Soak.Order.LISTEN_FIRST || heard);
        }

        boolean listens() {
            return !heard && (order != Soak.Order.SPEAK_FIRST || said);
        }
    }

    private final Selector selector = Selector.open();
    private final Queue<Fresh> fresh = new ConcurrentLinkedQueue<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);

    SoakSelector() throws IOException {
        Thread thread = new Thread(this, "soak-selector");
        thread.setDaemon(true);
        thread.start();
    }

    /** Hands a connection over; the future ends with it. */
    CompletableFuture<Void> run(SocketChannel channel, SoakTalk talk, Soak.Order order) {
        State state = new State(talk, order);
        fresh.add(new Fresh(channel, state));
        selector.wakeup();
        return state.end;
    }

    @Override
    public void run() {
        while (true) {
            try {
                Fresh next;
                while ((next = fresh.poll()) != null) {
                    next.channel.configureBlocking(false);
                    next.channel.register(selector, interest(next.state), next.state);
                }
                selector.select();
            } catch (IOException e) {
                System.out.println("BAD select: " + e);
                return;
            }
            List<SelectionKey> ready = new ArrayList<>(selector.selectedKeys());
            selector.selectedKeys().clear();
            for (SelectionKey key : ready) {
                State state = (State) key.attachment();
                try {
                    move(key, (SocketChannel) key.channel(), state);
                } catch (IOException e) {
                    close(key, state, e);
                }
            }
        }
    }

    private void move(SelectionKey key, SocketChannel channel, State state) throws IOException {
        if (key.isWritable() && state.speaks()) {
            if (!state.out.hasRemaining()) {
                state.out.clear();
                if (!state.talk.say(state.out)) {
                    channel.shutdownOutput();
                    state.said = true;
                }
                state.out.flip();
            }
            if (!state.said) {
                channel.write(state.out);
            }
        }
        if (key.isReadable() && state.listens()) {
            int n = channel.read(in.clear());
            if (n < 0) {
                state.talk.hearEnd();
                state.heard = true;
            } else {
                state.talk.hear(in.flip());
            }
        }
        if (state.talk.isOver() && state.said) {
            close(key, state, null);
        } else {
            key.interestOps(interest(state));
        }
    }

    private static int interest(State state) {
        return (state.speaks() ? SelectionKey.OP_WRITE : 0) | (state.listens() ? SelectionKey.OP_READ : 0);
    }

    private static void close(SelectionKey key, State state, IOException failure) {
        try {
            key.channel().close();
        } catch (IOException e) {
            System.out.println("BAD close: " + e);
        }
        if (failure == null) {
            state.end.complete(null);
        } else {
            state.end.completeExceptionally(failure);
        }
    }
}
