package org.smc4j.clc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.smc4j.wire.Checks;
import org.smc4j.wire.FieldReader;
import org.smc4j.wire.FieldWriter;

/**
 * The options of a TCP header, by which both ends say that they can do SMC before the first CLC message (spec page 10,
 * section 1). For everything that a kernel sends, {@code encode(decode(x))} is {@code x}; for every list, {@code
 * decode(encode(m))} equals {@code m}.
 *
 * @param list in their order; together at most {@link #MAX_SIZE} bytes
 */
public record TcpOptions(List<TcpOption> list) {
    /** The room for options in a TCP header. */
    public static final int MAX_SIZE = 40;
    private static final int WORD = 4;
    private static final int END = 0;

    public TcpOptions {
        list = List.copyOf(list);
        Checks.range("size of the options", size(list), 0, MAX_SIZE);
    }

    /**
     * The options that these bytes are: what is between the fixed part of a TCP header and its end, or the end of the list.
     *
     * @throws TcpOptionsException       for anything that is not a list of options; nothing else is thrown because of the bytes
     * @throws IndexOutOfBoundsException if offset and length are not within the array
     */
    public static TcpOptions decode(byte[] bytes, int offset, int length) throws TcpOptionsException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length > MAX_SIZE) {
            throw new TcpOptionsException("size", "at most " + MAX_SIZE, Integer.toString(length));
        }
        Reader in = new Reader(bytes, offset, length);
        List<TcpOption> list = new ArrayList<>();
        while (in.remaining() > 0) {
            int kind = in.u8("option");
            if (kind == END) {
                break;
            }
            list.add(kind == TcpOption.NOP.kind() ? TcpOption.NOP : in.option(kind));
        }
        return new TcpOptions(list);
    }

    /** The bytes of the options, filled up with end marks to a multiple of four. */
    public byte[] encode() {
        int size = size(list);
        int padded = (size + WORD - 1) / WORD * WORD;
        FieldWriter out = new FieldWriter(padded);
        for (TcpOption option : list) {
            out.u8(option.kind());
            if (!option.isNop()) {
                out.u8(option.size());
                out.raw(option.value());
            }
        }
        out.zeros(padded - size);
        return out.bytes();
    }

    /**
     * Whether the sender of a segment can do SMC.
     *
     * @param syn whether the segment has the SYN flag; in others the option means nothing
     */
    public boolean offersSmc(boolean syn) {
        return syn && list.stream().anyMatch(TcpOption::isSmc);
    }

    /** These options and that of SMC behind them, with two NOPs as Linux has it; unchanged if there is no room for it. */
    public TcpOptions withSmc() {
        List<TcpOption> more = new ArrayList<>(list);
        more.addAll(List.of(TcpOption.NOP, TcpOption.NOP, TcpOption.SMC));
        return size(more) > MAX_SIZE ? this : new TcpOptions(more);
    }

    private static int size(List<TcpOption> list) {
        int size = 0;
        for (TcpOption option : list) {
            size += option.size();
        }
        return size;
    }

    private static final class Reader extends FieldReader<TcpOptionsException> {
        Reader(byte[] bytes, int offset, int length) {
            super(bytes, offset, length);
        }

        TcpOption option(int kind) throws TcpOptionsException {
            int length = u8("option length");
            if (length < TcpOption.HEADER_SIZE) {
                throw new TcpOptionsException("option length", "at least " + TcpOption.HEADER_SIZE, Integer.toString(length));
            }
            return new TcpOption(kind, raw(length - TcpOption.HEADER_SIZE, "option value"));
        }

        @Override
        protected TcpOptionsException refusal(String field, String expected, String found) {
            return new TcpOptionsException(field, expected, found);
        }
    }
}
