package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Closing, interrupting and resetting channels. */
final class ChannelLifeScenarios {
    private ChannelLifeScenarios() {
    }

    /** A channel in a state where the operation blocks. */
    private interface Blocking {
        End.Op on(SocketChannel channel);
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (boolean virtual : new boolean[] {false, true}) {
            final String thread = virtual ? "-of-a-virtual-thread" : "";
            blocked(all, "read" + thread, virtual, channel -> () -> channel.read(ByteBuffer.allocate(10)));
            blocked(all, "scattering-read" + thread, virtual,
                    channel -> () -> channel.read(new ByteBuffer[] {ByteBuffer.allocate(10), ByteBuffer.allocate(10)}));
            blocked(all, "write" + thread, virtual, channel -> () -> writeForever(channel));
            listeners(all, thread, virtual);
        }
        all.addAll(resets());
        return all;
    }

    private static Object writeForever(final SocketChannel channel) throws IOException {
        for (long position = 0;; position += 50_000) {
            final ByteBuffer buffer = ByteBuffer.wrap(new Content(1).bytes(position, 50_000));
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    /** A write that had moved some bytes when it was woken returns them; then only the next one fails. */
    private static Exception closedUnderWrite(final End.Op op) {
        try {
            op.run();
        } catch (Exception e) {
            if (e.getClass() == AsynchronousCloseException.class || e.getClass() == ClosedChannelException.class) {
                return e;
            }
            throw new AssertionError("blocked write when closed: expected AsynchronousCloseException or "
                    + "ClosedChannelException, seen " + e, e);
        }
        throw new AssertionError("blocked write when closed: expected an exception, but it returned normally");
    }

    private static void blocked(final List<Scenario> all, final String what, final boolean virtual, final Blocking op) {
        all.add(Scenario.of("channel-life.close-wakes-a-blocked-" + what, ChannelLifeScenarios::drain, end -> {
            final SocketChannel channel = end.dialChannel();
            final FutureTask<?> blocked = end.start(virtual, () -> what.startsWith("write")
                    ? closedUnderWrite(op.on(channel))
                    : fails(AsynchronousCloseException.class, "blocked " + what + " when closed", op.on(channel)::run));
            Thread.sleep(180);
            check(!blocked.isDone(), what + " blocks");
            channel.close();
            End.await(blocked, 3_000);
            end.say("closed");
        }));
        all.add(Scenario.of("channel-life.interrupt-closes-under-a-blocked-" + what, ChannelLifeScenarios::drain,
                end -> {
            final SocketChannel channel = end.dialChannel();
            interrupted(end, virtual, what, op.on(channel));
            check(!channel.isOpen(), "an interrupt closes the channel");
            end.say("closed");
        }));
        all.add(Scenario.of("channel-life.interrupt-before-" + what, ChannelLifeScenarios::drain, end -> {
            final SocketChannel channel = end.dialChannel();
            final FutureTask<Boolean> early = new FutureTask<>(() -> {
                Thread.currentThread().interrupt();
                fails(ClosedByInterruptException.class, what + " with the interrupt flag set", op.on(channel)::run);
                return Thread.currentThread().isInterrupted();
            });
            end.thread(virtual, early);
            same(true, End.await(early, 5_000), "interrupt flag after the exception");
            check(!channel.isOpen(), "an interrupt closes the channel");
            end.say("closed");
        }));
    }

    /** Reads nothing until the other end is closed; then what arrived must be the beginning of what was sent. */
    private static void drain(final End end) throws Exception {
        final SocketChannel channel = end.acceptChannel();
        end.hear("closed");
        final ByteBuffer in = ByteBuffer.allocate(100_000);
        long position = 0;
        while (channel.read(in) >= 0) {
            new Content(1).check(in.array(), 0, in.position(), position);
            position += in.position();
            in.clear();
        }
    }

    private static void interrupted(final End end, final boolean virtual, final String what, final End.Op op)
            throws Exception {
        final FutureTask<Boolean> blocked = new FutureTask<>(() -> {
            fails(ClosedByInterruptException.class, "interrupted " + what, op::run);
            return Thread.currentThread().isInterrupted();
        });
        final Thread thread = end.thread(virtual, blocked);
        Thread.sleep(180);
        check(!blocked.isDone(), what + " blocks");
        thread.interrupt();
        same(true, End.await(blocked, 3_000), "interrupt flag after the exception");
    }

    private static void listeners(final List<Scenario> all, final String thread, final boolean virtual) {
        all.add(Scenario.of("channel-life.close-wakes-a-blocked-accept" + thread, end -> {
            final ServerSocketChannel listener = end.listenChannel();
            final FutureTask<?> blocked = end.start(virtual, () ->
                    fails(AsynchronousCloseException.class, "blocked accept when closed", listener::accept));
            Thread.sleep(200);
            listener.close();
            End.await(blocked, 3_000);
        }, end -> end.hear("port")));
        all.add(Scenario.of("channel-life.interrupt-closes-under-a-blocked-accept" + thread, end -> {
            final ServerSocketChannel listener = end.listenChannel();
            interrupted(end, virtual, "accept", listener::accept);
            check(!listener.isOpen(), "an interrupt closes the listener");
        }, end -> end.hear("port")));
        all.add(connect("close-wakes-a-blocked-connect" + thread, (end, channel, address) -> {
            final FutureTask<?> blocked = end.start(virtual, () ->
                    fails(AsynchronousCloseException.class, "blocked connect when closed", () ->
                            channel.connect(address)));
            Thread.sleep(200);
            check(!blocked.isDone(), "connect blocks");
            channel.close();
            End.await(blocked, 3_000);
        }));
        all.add(connect("interrupt-closes-under-a-blocked-connect" + thread, (end, channel, address) -> {
            interrupted(end, virtual, "connect", () -> channel.connect(address));
            check(!channel.isOpen(), "an interrupt closes the channel");
        }));
    }

    private interface Connecting {
        void run(End end, SocketChannel channel, InetSocketAddress address) throws Exception;
    }

    /** To a listener whose backlog is full, so that connect blocks. */
    private static Scenario connect(final String name, final Connecting half) {
        return Scenario.of("channel-life." + name, end -> {
            final ServerSocketChannel full = end.keep(ServerSocketChannel.open());
            full.bind(new InetSocketAddress(End.here(), 0), 1);
            end.say("port", full.socket().getLocalPort());
            end.hear("done");
        }, end -> {
            final InetSocketAddress address = end.peerAddress();
            LifeScenarios.fillBacklog(end, address);
            half.run(end, end.keep(SocketChannel.open()), address);
            end.say("done");
        });
    }

    private static void reset(final SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    private static List<Scenario> resets() {
        return List.of(
                Scenario.of("channel-life.reset-seen-by-blocking-reads", end -> {
                    reset(end.acceptChannel());
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.hear("closed");
                    End.pause();
                    seeReset(end, channel);
                }),
                Scenario.of("channel-life.reset-seen-by-non-blocking-reads", end -> {
                    reset(end.acceptChannel());
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.configureBlocking(false);
                    end.hear("closed");
                    End.pause();
                    seeReset(end, channel);
                }),
                Scenario.of("channel-life.reset-after-data", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.write(ByteBuffer.allocate(100));
                    end.hear("there");
                    reset(channel);
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    End.until("100 bytes", 3_000, () -> channel.socket().getInputStream().available() == 100);
                    end.say("there");
                    end.hear("closed");
                    End.pause();
                    same(100, channel.read(ByteBuffer.allocate(200)), "bytes before the reset");
                    seeReset(end, channel);
                }),
                Scenario.of("channel-life.reset-wakes-a-blocked-read", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("reading");
                    Thread.sleep(200);
                    reset(channel);
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.say("reading");
                    end.see("blocked read", LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(1))));
                }),
                Scenario.of("channel-life.write-after-the-peer-closed", end -> {
                    end.acceptChannel().close();
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.hear("closed");
                    same(1, channel.write(ByteBuffer.allocate(1)), "first write after the peer closed");
                    End.pause();
                    fails(IOException.class, "second write", () -> channel.write(ByteBuffer.allocate(1)),
                            "Broken pipe", "Connection reset by peer");
                }),
                Scenario.of("channel-life.close-with-unread-data", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    End.until("bytes", 3_000, () -> channel.socket().getInputStream().available() > 0);
                    channel.close();
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.write(ByteBuffer.allocate(100));
                    end.hear("closed");
                    End.pause();
                    end.see("read", LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(10))));
                    end.see("write", LifeScenarios.outcome(() -> channel.write(ByteBuffer.allocate(10))));
                }),
                Scenario.of("channel-life.non-blocking-close-with-unread-data", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.configureBlocking(false);
                    Thread.sleep(200);
                    channel.close();
                    end.say("closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.write(ByteBuffer.allocate(100));
                    end.hear("closed");
                    End.pause();
                    end.see("read", LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(10))));
                    end.see("write", LifeScenarios.outcome(() -> channel.write(ByteBuffer.allocate(10))));
                }),
                Scenario.of("channel-life.operations-on-a-closed-channel", End::acceptChannel, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.close();
                    channel.close();
                    fails(ClosedChannelException.class, "read", () -> channel.read(ByteBuffer.allocate(1)));
                    fails(ClosedChannelException.class, "write", () -> channel.write(ByteBuffer.allocate(1)));
                    fails(ClosedChannelException.class, "shutdownInput", channel::shutdownInput);
                    fails(ClosedChannelException.class, "configureBlocking", () -> channel.configureBlocking(false));
                    fails(ClosedChannelException.class, "getLocalAddress", channel::getLocalAddress);
                    fails(ClosedChannelException.class, "finishConnect", channel::finishConnect);
                    check(!channel.isOpen(), "closed");
                    end.see("isConnected of a closed channel", channel.isConnected());
                }),
                Scenario.data("channel-life.linger-delivers-to-a-slow-reader", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.setOption(StandardSocketOptions.SO_LINGER, 10);
                    final ByteBuffer out = ByteBuffer.wrap(new Content(3).bytes(0, 2_000_000));
                    while (out.hasRemaining()) {
                        channel.write(out);
                    }
                    channel.close();
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    Thread.sleep(300);
                    End.readAndCheck(channel.socket().getInputStream(), new Content(3), 0, 2_000_000);
                    same(-1, channel.read(ByteBuffer.allocate(1)), "end of stream");
                }));
    }

    private static void seeReset(final End end, final SocketChannel channel) {
        for (int i = 0; i < 3; i++) {
            end.see("read " + i, LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(10))));
        }
        end.see("write", LifeScenarios.outcome(() -> channel.write(ByteBuffer.allocate(10))));
    }
}
