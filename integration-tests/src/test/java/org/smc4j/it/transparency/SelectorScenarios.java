package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;
import static org.smc4j.it.transparency.End.took;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** {@code Selector}: what is ready when, waking up, cancelling, closing. */
final class SelectorScenarios {
    private SelectorScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>(readiness());
        all.addAll(waking());
        all.addAll(keys());
        all.add(Scenario.of("selector.both-ends-write-much-before-they-read",
                end -> writeBeforeReading(end, end.acceptChannel()), end -> writeBeforeReading(end, end.dialChannel()))
                .with(Scenario.Trait.LOOPBACK));
        return all;
    }

    /**
     * What TCP's buffers take, neither end may wait for: here each takes a little when nothing more fits, less than what makes
     * the other's channel writable, and then goes on writing.
     */
    private static void writeBeforeReading(final End end, final SocketChannel channel) throws IOException {
        final int total = 1 << 20;
        final SelectionKey key = register(end, channel, SelectionKey.OP_WRITE);
        final Content content = new Content(5);
        int written = 0;
        int read = 0;
        while (written < total) {
            same(1, selectAgain(key, 5_000), "writable within 5 s, after " + written + " bytes");
            final int size = Math.min(16_384, total - written);
            final int n = channel.write(ByteBuffer.wrap(content.bytes(written, size)));
            written += n;
            if (n < size && read == 0) {
                read = receive(channel, content, 0, 40_000);
            }
        }
        key.interestOps(SelectionKey.OP_READ);
        while (read < total) {
            same(1, selectAgain(key, 5_000), "readable within 5 s, after " + read + " bytes");
            read += receive(channel, content, read, 1 << 16);
        }
    }

    private static int receive(final SocketChannel channel, final Content content, final int position, final int most)
            throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(most);
        final int n = channel.read(buffer);
        content.check(buffer.array(), 0, Math.max(0, n), position);
        return Math.max(0, n);
    }

    /** The key of the channel, non-blocking, in its own selector. */
    static SelectionKey register(final End end, final SocketChannel channel, final int ops) throws IOException {
        channel.configureBlocking(false);
        return channel.register(end.keep(Selector.open()), ops);
    }

    private static int selectAgain(final SelectionKey key, final long timeout) throws IOException {
        key.selector().selectedKeys().clear();
        return timeout == 0 ? key.selector().selectNow() : key.selector().select(timeout);
    }

    private static List<Scenario> readiness() {
        return List.of(
                Scenario.of("selector.readable-until-drained", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("quiet");
                    channel.write(ByteBuffer.allocate(100));
                    end.hear("drained");
                    channel.write(ByteBuffer.allocate(1));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    same(0, selectAgain(key, 0), "keys selected when nothing is there");
                    same(0, selectAgain(key, 150), "keys selected in 150 ms when nothing is there");
                    end.say("quiet");
                    same(1, selectAgain(key, 3_000), "keys selected when bytes are there");
                    check(key.isReadable() && !key.isWritable(), "readable");
                    End.until("100 bytes", 3_000, () -> channel.socket() != null && selectAgain(key, 0) == 1);
                    int left = 100;
                    while (left > 0) {
                        same(1, selectAgain(key, 0), "keys selected while " + left + " bytes are left");
                        left -= channel.read(ByteBuffer.allocate(10));
                    }
                    same(0, selectAgain(key, 0), "keys selected when all bytes are read");
                    same(0, selectAgain(key, 100), "keys selected in 100 ms when all bytes are read");
                    end.say("drained");
                    same(1, selectAgain(key, 3_000), "keys selected when one more byte comes");
                }),
                Scenario.of("selector.select-again-without-clearing-adds-nothing", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(5));
                }, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    same(1, key.selector().select(3_000), "keys selected");
                    same(0, key.selector().selectNow(), "updated keys on a second select");
                    check(key.selector().selectedKeys().contains(key) && key.isReadable(), "the key stays selected");
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    same(1, key.selector().selectNow(), "updated keys when a new op is ready");
                    check(key.isReadable() && key.isWritable(), "both ops are in the ready set");
                }),
                Scenario.of("selector.end-of-stream-is-readable-again-and-again", end -> {
                    end.acceptChannel().shutdownOutput();
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    for (int i = 0; i < 3; i++) {
                        same(1, selectAgain(key, 3_000), "keys selected at the end of the stream");
                        same(-1, channel.read(ByteBuffer.allocate(5)), "read");
                    }
                }),
                Scenario.of("selector.reset-is-ready", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
                    end.hear("selecting");
                    End.pause();
                    channel.close();
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    end.say("selecting");
                    same(1, selectAgain(key, 3_000), "keys selected when the peer resets");
                    end.see("ready ops", key.readyOps());
                    end.see("read", LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(1))));
                    end.see("select again", selectAgain(key, 0));
                }),
                Scenario.of("selector.writable-when-there-is-room", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("full");
                    end.say("go-on", "");
                    int left = end.hearInt("total");
                    final ByteBuffer in = ByteBuffer.allocate(100_000);
                    for (; left > 0; left -= in.position()) {
                        in.clear().limit(Math.min(left, in.capacity()));
                        check(channel.read(in) > 0, "bytes");
                    }
                    end.hear("writable");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_WRITE);
                    same(1, selectAgain(key, 3_000), "keys selected when there is room");
                    same(1, selectAgain(key, 0), "keys selected when there is still room");
                    int total = 0;
                    for (int quiet = 0; quiet < 15;) {
                        final int n = channel.write(ByteBuffer.allocate(100_000));
                        total += n;
                        quiet = n == 0 ? quiet + 1 : 0;
                        Thread.sleep(n == 0 ? 10 : 0);
                    }
                    same(0, selectAgain(key, 0), "keys selected when the stream is full");
                    same(0, selectAgain(key, 150), "keys selected in 150 ms when the stream is full");
                    end.say("full");
                    end.hear("go-on");
                    end.say("total", total);
                    same(1, selectAgain(key, 5_000), "keys selected when the peer has read");
                    check(key.isWritable(), "writable");
                    check(channel.write(ByteBuffer.allocate(1)) == 1, "a byte can be written");
                    end.say("writable");
                }),
                Scenario.of("selector.acceptable-until-accepted", end -> {
                    final ServerSocketChannel listener = end.listenChannel();
                    listener.configureBlocking(false);
                    final SelectionKey key = listener.register(end.keep(Selector.open()), SelectionKey.OP_ACCEPT);
                    same(0, selectAgain(key, 100), "keys selected when nobody is there");
                    end.say("go");
                    end.hear("connected");
                    for (int i = 0; i < 3; i++) {
                        same(1, selectAgain(key, 3_000), "keys selected with " + (3 - i) + " connections waiting");
                        check(key.isAcceptable(), "acceptable");
                        check(end.keep(listener.accept()) != null, "accept");
                    }
                    same(0, selectAgain(key, 100), "keys selected when all are accepted");
                    same(null, listener.accept(), "accept when all are accepted");
                }, end -> {
                    final var address = end.peerAddress();
                    end.hear("go");
                    for (int i = 0; i < 3; i++) {
                        end.keep(SocketChannel.open(address));
                    }
                    end.say("connected");
                }),
                Scenario.of("selector.no-interest-no-selection", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(5));
                    end.say("written");
                }, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), 0);
                    end.hear("written");
                    same(0, selectAgain(key, 150), "keys selected without interest");
                    key.interestOps(SelectionKey.OP_READ);
                    same(1, selectAgain(key, 3_000), "keys selected with interest");
                    key.interestOps(0);
                    same(0, selectAgain(key, 0), "keys selected after interest was taken away");
                    same(SelectionKey.OP_WRITE, or(key, SelectionKey.OP_WRITE), "interest after interestOpsOr");
                    same(SelectionKey.OP_WRITE, key.interestOpsAnd(0), "interest before interestOpsAnd");
                }),
                Scenario.of("selector.select-with-action", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(5));
                }, end -> {
                    final SelectionKey key = register(end, end.dialChannel(),
                            SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    final Selector selector = key.selector();
                    End.until("readable and writable", 3_000, () -> {
                        final int[] ready = {0};
                        same(1, selector.select(k -> ready[0] = k.readyOps(), 3_000), "actions run");
                        return ready[0] == (SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    });
                    check(selector.selectedKeys().isEmpty(), "select with an action selects no key");
                    same(1, selector.selectNow(SelectionKey::readyOps), "actions run by selectNow");
                    key.interestOps(0);
                    same(0, selector.select(k -> { }, 100), "actions run without interest");
                    key.interestOps(SelectionKey.OP_WRITE);
                    fails(IllegalStateException.class, "select inside an action",
                            () -> selector.select(k -> reenter(selector)));
                }));
    }

    private static int or(final SelectionKey key, final int ops) {
        key.interestOpsOr(ops);
        return key.interestOps();
    }

    private static void reenter(final Selector selector) {
        try {
            selector.selectNow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Scenario> waking() {
        return List.of(
                Scenario.of("selector.wakeup-before-select", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    final Selector selector = key.selector();
                    selector.wakeup().wakeup();
                    final long start = System.nanoTime();
                    same(0, selector.select(), "keys selected after a wakeup");
                    took(start, 0, 500, "select after a wakeup");
                    final long second = System.nanoTime();
                    same(0, selector.select(150), "keys selected by the select after");
                    took(second, 140, 1_000, "only one select is woken by two wakeups");
                }),
                Scenario.of("selector.wakeup-during-select", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    final FutureTask<Integer> select = end.start(() -> key.selector().select());
                    Thread.sleep(150);
                    check(!select.isDone(), "select blocks");
                    key.selector().wakeup();
                    same(0, End.await(select, 3_000), "keys selected");
                }),
                Scenario.of("selector.interrupt-during-select", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    final FutureTask<Boolean> select = new FutureTask<>(() -> {
                        same(0, key.selector().select(), "keys selected");
                        return Thread.currentThread().isInterrupted();
                    });
                    final Thread thread = end.thread(false, select);
                    Thread.sleep(150);
                    thread.interrupt();
                    same(true, End.await(select, 3_000), "interrupt flag after select");
                    check(key.selector().isOpen() && key.channel().isOpen(), "selector and channel stay open");
                }),
                Scenario.of("selector.close-during-select", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    final FutureTask<String> select =
                            end.start(() -> LifeScenarios.outcome(() -> key.selector().select()));
                    Thread.sleep(150);
                    key.selector().close();
                    end.see("select of a selector that is closed", End.await(select, 3_000));
                    check(!key.isValid(), "keys of a closed selector are invalid");
                    fails(ClosedSelectorException.class, "selectNow", key.selector()::selectNow);
                    check(key.channel().isOpen(), "channels stay open");
                }),
                Scenario.of("selector.timeouts", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_READ);
                    final long start = System.nanoTime();
                    same(0, key.selector().select(1), "keys selected in 1 ms");
                    took(start, 0, 300, "select(1)");
                    final long second = System.nanoTime();
                    same(0, key.selector().select(250), "keys selected in 250 ms");
                    took(second, 240, 1_000, "select(250)");
                    fails(IllegalArgumentException.class, "negative timeout", () -> key.selector().select(-1));
                }),
                Scenario.of("selector.bytes-wake-a-blocked-select", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    for (int i = 0; i < 5; i++) {
                        end.hear("selecting");
                        Thread.sleep(60);
                        channel.write(ByteBuffer.allocate(1));
                    }
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    for (int i = 0; i < 5; i++) {
                        end.say("selecting");
                        key.selector().selectedKeys().clear();
                        same(1, key.selector().select(), "keys selected");
                        same(1, channel.read(ByteBuffer.allocate(4)), "bytes");
                    }
                }),
                Scenario.of("selector.interestOps-from-another-thread", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(1));
                    end.say("written");
                }, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), 0);
                    end.hear("written");
                    final FutureTask<Integer> select = end.start(() -> key.selector().select());
                    Thread.sleep(150);
                    key.interestOps(SelectionKey.OP_READ);
                    check(!select.isDone(), "changed interest counts from the next select on");
                    key.selector().wakeup();
                    End.await(select, 3_000);
                    same(1, selectAgain(key, 3_000), "keys selected after the change");
                }),
                Scenario.of("selector.register-while-another-thread-selects", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(1));
                }, end -> {
                    final Selector selector = end.keep(Selector.open());
                    final FutureTask<Integer> select = end.start(() -> {
                        int n = 0;
                        while (n == 0) {
                            n = selector.select();
                        }
                        return n;
                    });
                    Thread.sleep(100);
                    final SocketChannel channel = end.dialChannel();
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                    selector.wakeup();
                    same(1, End.await(select, 3_000), "keys selected");
                }));
    }

    private static List<Scenario> keys() {
        return List.of(
                Scenario.of("selector.cancel-and-register-again", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(1));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    same(1, selectAgain(key, 3_000), "keys selected");
                    key.cancel();
                    check(!key.isValid() && channel.isRegistered(), "cancelled, but still registered");
                    fails(CancelledKeyException.class, "interestOps of a cancelled key", key::interestOps);
                    fails(CancelledKeyException.class, "register again before the next select",
                            () -> channel.register(key.selector(), SelectionKey.OP_READ));
                    same(0, selectAgain(key, 0), "keys selected after cancel");
                    check(!channel.isRegistered() && key.selector().keys().isEmpty(), "deregistered");
                    for (int i = 0; i < 3; i++) {
                        final SelectionKey next = channel.register(key.selector(), SelectionKey.OP_READ, "att");
                        same("att", next.attachment(), "attachment");
                        same(1, selectAgain(next, 3_000), "keys selected after registering again");
                        next.cancel();
                        same(0, selectAgain(next, 0), "keys selected after cancelling again");
                    }
                    channel.configureBlocking(true);
                    same(1, channel.read(ByteBuffer.allocate(5)), "bytes of the channel, blocking again");
                }),
                Scenario.of("selector.close-of-a-registered-channel-is-seen-by-the-peer-at-once", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("closed");
                    final long start = System.nanoTime();
                    same(-1, channel.read(ByteBuffer.allocate(1)), "read after the peer closed its registered channel");
                    took(start, 0, 500, "the end of the stream");
                    end.say("seen");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    same(0, selectAgain(key, 0), "keys selected");
                    channel.close();
                    check(!key.isValid(), "key invalid");
                    end.say("closed");
                    end.hear("seen");
                    same(0, selectAgain(key, 0), "keys selected after close");
                    check(key.selector().keys().isEmpty(), "no keys left");
                }),
                Scenario.of("selector.close-of-a-registered-channel-delivers-its-data", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("closed");
                    End.readAndCheck(channel.socket().getInputStream(), new Content(1), 0, 30_000);
                    same(-1, channel.read(ByteBuffer.allocate(1)), "end");
                    end.say("seen");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    register(end, channel, SelectionKey.OP_READ);
                    check(channel.write(ByteBuffer.wrap(new Content(1).bytes(0, 30_000))) == 30_000, "all written");
                    channel.close();
                    end.say("closed");
                    end.hear("seen");
                }),
                Scenario.of("selector.close-while-another-thread-selects", end -> {
                    same(-1, end.acceptChannel().read(ByteBuffer.allocate(1)), "peer closed");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey key = register(end, channel, SelectionKey.OP_READ);
                    final FutureTask<Integer> select = end.start(() -> key.selector().select(700));
                    Thread.sleep(100);
                    channel.close();
                    same(0, End.await(select, 3_000), "keys selected");
                }),
                Scenario.of("selector.two-selectors-see-the-same-channel", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(1));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final SelectionKey one = register(end, channel, SelectionKey.OP_READ);
                    final SelectionKey two = register(end, channel, SelectionKey.OP_READ);
                    same(1, selectAgain(one, 3_000), "keys selected by the first");
                    same(1, selectAgain(two, 3_000), "keys selected by the second");
                    channel.read(ByteBuffer.allocate(1));
                    same(0, selectAgain(one, 0), "keys selected by the first when drained");
                    same(0, selectAgain(two, 0), "keys selected by the second when drained");
                    one.selector().close();
                    check(channel.isOpen() && two.isValid(), "the other registration lives");
                    same(two, channel.keyFor(two.selector()), "keyFor");
                }),
                Scenario.of("selector.key-sets", End::acceptChannel, end -> {
                    final SelectionKey key = register(end, end.dialChannel(), SelectionKey.OP_WRITE);
                    fails(UnsupportedOperationException.class, "keys().clear()", () -> key.selector().keys().clear());
                    fails(UnsupportedOperationException.class, "selectedKeys().add()",
                            () -> key.selector().selectedKeys().add(key));
                    same(1, key.selector().selectNow(), "keys selected");
                    check(key.selector().selectedKeys().remove(key), "a selected key can be removed");
                    fails(IllegalArgumentException.class, "interest in accept of a SocketChannel",
                            () -> key.interestOps(SelectionKey.OP_ACCEPT));
                    end.see("class", key.selector().getClass().getName() + " " + key.getClass().getName());
                }));
    }
}
