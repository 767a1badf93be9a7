package org.smc4j.agent.weave;

/**
 * Inserts {@link EdgeCode} into one Code attribute: copies it with its jumps, tables and stack map frames moved. What it does not
 * understand is refused with an exception.
 */
final class CodeInsertion {
    static final int HEADER = 8;
    private static final int CODE_LIMIT = 0xFFFF;
    /** The length of an instruction by its opcode; 0 for what has none of its own or must not be in a class with frames. */
    private static final String LENGTHS = "1111111111111111232332222211111111111111111111111111112222211111"
            + "1111111111111111111111111111111111111111111111111111111111111111"
            + "1111311111111111111111111333333333333333000011111133333335532311" + "331104335";
    private static final int IINC = 132;
    private static final int IFEQ = 153;
    private static final int GOTO = 167;
    private static final int TABLESWITCH = 170;
    private static final int LOOKUPSWITCH = 171;
    private static final int IRETURN = 172;
    private static final int RETURN = 177;
    private static final int WIDE = 196;
    private static final int IFNULL = 198;
    private static final int IFNONNULL = 199;
    private static final int GOTO_W = 200;
    private static final int SAME_LOCALS_1_STACK_ITEM_FRAME = 64;
    private static final int FIRST_UNUSED_FRAME = 128;
    private static final int APPEND_FRAME = 252;
    private static final int ITEM_UNINITIALIZED = 8;

    private final byte[] in;
    private final ConstantPool pool;
    private final EdgeCode edge;
    private final Bytes out;
    private final int start;
    private final int length;
    /** The new offset by the old one: where a jump to it goes. */
    private final int[] moved;
    private int at;

    /** For the contents of the attribute, which begin at an index. */
    CodeInsertion(byte[] in, int at, ConstantPool pool, EdgeCode edge, Bytes out) {
        this.in = in;
        this.at = at;
        this.pool = pool;
        this.edge = edge;
        this.out = out;
        this.start = at + HEADER;
        this.length = Bytes.s4(in, at + 4);
        this.moved = new int[length + 1];
    }

    /** The length of the instruction at an index, in code that begins at another. */
    static int length(byte[] in, int at, int start) {
        int opcode = Bytes.u1(in, at);
        int length = 0;
        if (opcode == TABLESWITCH) {
            int operands = operands(at, start);
            length = operands + 12 + 4 * (Bytes.s4(in, operands + 8) - Bytes.s4(in, operands + 4) + 1) - at;
        } else if (opcode == LOOKUPSWITCH) {
            int operands = operands(at, start);
            length = operands + 8 + 8 * Bytes.s4(in, operands + 4) - at;
        } else if (opcode == WIDE) {
            length = Bytes.u1(in, at + 1) == IINC ? 6 : 4;
        } else if (opcode < LENGTHS.length()) {
            length = LENGTHS.charAt(opcode) - '0';
        }
        if (length <= 0) {
            throw new IllegalArgumentException("unknown instruction " + opcode);
        }
        return length;
    }

    /** Where the operands of a switch begin. */
    private static int operands(int at, int start) {
        return at + 4 - (at - start) % 4;
    }

    void write() {
        int end = move();
        int handlerSize = edge.handler.size();
        if (end + handlerSize > CODE_LIMIT) {
            throw new IllegalArgumentException("no room for code");
        }
        // Before a return there is one more item: the descriptor that a hook takes beside the result.
        out.u2(Math.max(Bytes.u2(in, at) + 1, EdgeCode.MAX_STACK)).u2(Bytes.u2(in, at + 2)).u4(end + handlerSize);
        instructions();
        out.copy(edge.handler);
        exceptionTable(end);
        attributes(end);
    }

    private int move() {
        int inserted = edge.start.size();
        for (int offset = 0; offset < length;) {
            int next = offset + length(in, start + offset, start);
            boolean isReturn = isReturn(Bytes.u1(in, start + offset));
            while (offset < next) {
                moved[offset] = offset + inserted;
                offset++;
            }
            if (isReturn) {
                inserted += edge.beforeReturn.size();
            }
        }
        moved[length] = length + inserted;
        return moved[length];
    }

    private static boolean isReturn(int opcode) {
        return opcode >= IRETURN && opcode <= RETURN;
    }

    private void instructions() {
        out.copy(edge.start);
        for (int offset = 0; offset < length;) {
            int from = start + offset;
            int size = length(in, from, start);
            int opcode = Bytes.u1(in, from);
            if (isReturn(opcode)) {
                out.copy(edge.beforeReturn);
            }
            int to = out.size();
            out.copy(in, from, from + size);
            if (opcode >= IFEQ && opcode <= GOTO || opcode == IFNULL || opcode == IFNONNULL) {
                int distance = distance(offset, Bytes.s2(in, from + 1));
                if (distance != (short) distance) {
                    throw new IllegalArgumentException("a jump too far");
                }
                out.put2(to + 1, distance);
            } else if (opcode == GOTO_W) {
                wideJump(offset, from + 1, to + 1);
            } else if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
                int operands = operands(from, start);
                wideJump(offset, operands, to + operands - from);
                int step = opcode == TABLESWITCH ? 4 : 8;
                for (int target = operands + 12; target < from + size; target += step) {
                    wideJump(offset, target, to + target - from);
                }
            }
            offset += size;
        }
    }

    private void wideJump(int offset, int from, int to) {
        out.put4(to, distance(offset, Bytes.s4(in, from)));
    }

    private int distance(int offset, int oldDistance) {
        return moved[offset + oldDistance] - moved[offset];
    }

    private void exceptionTable(int end) {
        at = start + length;
        int count = next2();
        boolean handles = edge.handler.size() > 0;
        out.u2(handles ? count + 1 : count);
        for (int i = 0; i < count; i++) {
            out.u2(moved[next2()]).u2(moved[next2()]).u2(moved[next2()]).u2(next2());
        }
        if (handles) {
            out.u2(edge.start.size()).u2(end).u2(end).u2(0);
        }
    }

    /** Annotations inside code are left out: they are for tools that read class files, which never see this one. */
    private void attributes(int end) {
        int count = next2();
        int countAt = out.size();
        out.u2(0);
        int written = 0;
        int frames = 0;
        for (int i = 0; i < count; i++) {
            int name = next2();
            int attributeEnd = at + 4 + Bytes.s4(in, at);
            at += 4;
            if (pool.isText(name, "StackMapTable")) {
                frames = at;
            } else if (pool.isText(name, "LineNumberTable")) {
                out.u2(name).copy(in, at - 4, at);
                lineNumbers();
                written++;
            } else if (pool.isText(name, "LocalVariableTable") || pool.isText(name, "LocalVariableTypeTable")) {
                out.u2(name).copy(in, at - 4, at);
                localVariables();
                written++;
            } else if (!pool.isText(name, "RuntimeVisibleTypeAnnotations")
                    && !pool.isText(name, "RuntimeInvisibleTypeAnnotations")) {
                throw new IllegalArgumentException("unknown attribute of code");
            }
            at = attributeEnd;
        }
        if (stackMapTable(frames, end)) {
            written++;
        }
        out.put2(countAt, written);
    }

    private void lineNumbers() {
        int count = next2();
        out.u2(count);
        for (int i = 0; i < count; i++) {
            out.u2(moved[next2()]).u2(next2());
        }
    }

    private void localVariables() {
        int count = next2();
        out.u2(count);
        for (int i = 0; i < count; i++) {
            int from = next2();
            int to = from + next2();
            out.u2(moved[from]).u2(moved[to] - moved[from]).copy(in, at, at + 6);
            at += 6;
        }
    }

    /** True if there is a frame at all. */
    private boolean stackMapTable(int frames, int end) {
        at = frames;
        int old = frames == 0 ? 0 : next2();
        boolean handles = edge.handler.size() > 0;
        int count = edge.frames() + old + (handles ? 1 : 0);
        if (count == 0) {
            return false;
        }
        out.u2(pool.addText("StackMapTable")).u4(0);
        int contents = out.size();
        out.u2(count).copy(edge.startFrames);
        int offset = -1;
        int last = edge.lastFrame();
        for (int i = 0; i < old; i++) {
            int type = next1();
            offset += 1 + offsetDelta(type);
            frame(type, moved[offset] - last - 1);
            last = moved[offset];
        }
        if (handles) {
            edge.handlerFrame(out, end - last - 1);
        }
        out.put4(contents - 4, out.size() - contents);
        return true;
    }

    private int offsetDelta(int type) {
        if (type < SAME_LOCALS_1_STACK_ITEM_FRAME) {
            return type;
        }
        if (type < FIRST_UNUSED_FRAME) {
            return type - SAME_LOCALS_1_STACK_ITEM_FRAME;
        }
        if (type < EdgeCode.SAME_LOCALS_1_STACK_ITEM_FRAME_EXTENDED) {
            throw new IllegalArgumentException("unknown frame " + type);
        }
        return next2();
    }

    /** In the form that has room for any delta. */
    private void frame(int type, int delta) {
        if (type < SAME_LOCALS_1_STACK_ITEM_FRAME) {
            out.u1(EdgeCode.SAME_FRAME_EXTENDED).u2(delta);
        } else if (type <= EdgeCode.SAME_LOCALS_1_STACK_ITEM_FRAME_EXTENDED) {
            out.u1(EdgeCode.SAME_LOCALS_1_STACK_ITEM_FRAME_EXTENDED).u2(delta);
            items(1);
        } else {
            out.u1(type).u2(delta);
            if (type == EdgeCode.FULL_FRAME) {
                countedItems();
                countedItems();
            } else if (type >= APPEND_FRAME) {
                items(type - APPEND_FRAME + 1);
            }
        }
    }

    private void countedItems() {
        int count = next2();
        out.u2(count);
        items(count);
    }

    private void items(int count) {
        for (int i = 0; i < count; i++) {
            int tag = next1();
            out.u1(tag);
            if (tag == EdgeCode.ITEM_OBJECT) {
                out.u2(next2());
            } else if (tag == ITEM_UNINITIALIZED) {
                out.u2(moved[next2()]);
            } else if (tag > ITEM_UNINITIALIZED) {
                throw new IllegalArgumentException("unknown type in a frame: " + tag);
            }
        }
    }

    private int next1() {
        return Bytes.u1(in, at++);
    }

    private int next2() {
        at += 2;
        return Bytes.u2(in, at - 2);
    }
}
