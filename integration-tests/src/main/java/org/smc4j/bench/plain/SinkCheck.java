package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Checks a one-way stream of messages where it arrives, whatever pieces it arrives in, and answers its marked messages.
 *
 * <p>Works on the pieces in place: putting messages together first would add a copy that is not the transport's.
 */
final class SinkCheck {
    /** Sends the answer to a marked message. */
    interface Answer {
        void send(ByteBuffer answer) throws IOException;
    }

    private final int size;
    private final Answer answer;
    private final ByteBuffer reply;
    /** The longs that a piece's end cut, by place in the message: 0 the header, 1 the trailer. */
    private final long[] cut = new long[2];
    private long sequence;
    private int offset;
    private boolean marked;

    SinkCheck(int size, ByteBuffer reply, Answer answer) {
        this.size = size;
        this.reply = reply;
        this.answer = answer;
    }

    /** Takes the next {@code count} bytes of the stream, which start at 0 of the buffer. */
    void accept(ByteBuffer piece, int count) throws IOException {
        int at = 0;
        while (at < count) {
            if (offset == 0 && count - at >= size) {
                final long header = piece.getLong(at);
                verify(header, piece.getLong(at + size - Long.BYTES));
                at += size;
                messageEnd();
            } else {
                final int step = Math.min(count - at, size - offset);
                collect(piece, at, step);
                at += step;
                offset += step;
                if (offset == size) {
                    verify(cut[0], cut[1]);
                    offset = 0;
                    messageEnd();
                }
            }
        }
    }

    private void collect(ByteBuffer piece, int at, int step) {
        for (int i = 0; i < step; i++) {
            final int place = offset + i;
            if (place < Long.BYTES) {
                cut[0] = cut[0] << Byte.SIZE | piece.get(at + i) & 0xff;
            } else if (place >= size - Long.BYTES) {
                cut[1] = cut[1] << Byte.SIZE | piece.get(at + i) & 0xff;
            } else {
                i = Math.min(step, size - Long.BYTES - offset) - 1;
            }
        }
    }

    private void verify(long header, long trailer) throws IOException {
        if ((header & ~Message.MARK) != sequence || trailer != ~header) {
            throw new IOException("expected message " + sequence + " of " + size + " bytes, found header "
                + Long.toHexString(header) + " trailer " + Long.toHexString(trailer));
        }
        marked = header < 0;
    }

    private void messageEnd() throws IOException {
        sequence++;
        if (marked) {
            marked = false;
            reply.clear();
            answer.send(reply.putLong(sequence * size).putLong(System.nanoTime()).flip());
        }
    }
}
