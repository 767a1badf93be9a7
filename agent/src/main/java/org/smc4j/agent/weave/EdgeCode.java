package org.smc4j.agent.weave;

import org.smc4j.agent.weave.Seams.Kind;

/**
 * The code that stands at the edges of one method, with the stack map frames that it needs. What is inserted between
 * instructions is a multiple of four bytes long, so that the switches behind it keep their padding.
 */
final class EdgeCode {
    /** Two results of type long and what they are compared with; no hook has as many arguments. */
    static final int MAX_STACK = 6;
    static final int SAME_LOCALS_1_STACK_ITEM_FRAME_EXTENDED = 247;
    static final int SAME_FRAME_EXTENDED = 251;
    static final int FULL_FRAME = 255;
    static final int ITEM_OBJECT = 7;
    private static final int ITEM_TOP = 0;
    private static final int ITEM_INTEGER = 1;
    private static final int ITEM_LONG = 4;
    private static final int NO_ITEM = -1;

    private static final int NOP = 0;
    private static final int LCONST_0 = 9;
    private static final int LDC_W = 19;
    private static final int LDC2_W = 20;
    private static final int ILOAD = 21;
    private static final int LLOAD = 22;
    private static final int ALOAD = 25;
    private static final int POP = 87;
    private static final int POP2 = 88;
    private static final int DUP = 89;
    private static final int DUP2 = 92;
    private static final int LCMP = 148;
    private static final int IFEQ = 153;
    private static final int IFLE = 158;
    private static final int IF_ICMPEQ = 159;
    private static final int IRETURN = 172;
    private static final int LRETURN = 173;
    private static final int ARETURN = 176;
    private static final int RETURN = 177;
    private static final int GETFIELD = 180;
    private static final int INVOKESTATIC = 184;
    private static final int ATHROW = 191;
    private static final int IFNULL = 198;

    private static final String FILE_DESCRIPTOR = "Ljava/io/FileDescriptor;";
    private static final String LOCK = "Ljava/util/concurrent/locks/ReentrantLock;";
    private static final int NO_JUMP = -1;
    private static final int PROCEED = Integer.MIN_VALUE;

    /** At the start of the method, and the frames in it. */
    final Bytes start = new Bytes(64);
    final Bytes startFrames = new Bytes(16);
    /** Before each return; may be empty. */
    final Bytes beforeReturn = new Bytes(16);
    /** Catches what is thrown between start and end, and stands behind them; may be empty. */
    final Bytes handler = new Bytes(8);
    private final Seams.Edge edge;
    private final ConstantPool pool;
    private final String self;
    private int frames;
    private int lastFrame = -1;

    EdgeCode(Seams.Edge edge, ConstantPool pool) {
        this.edge = edge;
        this.pool = pool;
        this.self = Seams.PACKAGE + edge.in();
        Kind kind = edge.kind();
        // Not a switch: for one over an enum of another class the compiler makes a class that has to be loaded.
        if (kind == Kind.TRANSFER || kind == Kind.TRANSFER_OR_FAIL) {
            transfer();
        } else if (kind == Kind.BEFORE) {
            load(start, ALOAD, 1);
            hook(start, "before", "(" + FILE_DESCRIPTOR + ")V");
        } else if (kind == Kind.FILE_TRANSFER) {
            fileTransfer();
        } else if (kind == Kind.AFTER) {
            field(beforeReturn, "fd", FILE_DESCRIPTOR);
            hook(beforeReturn, "after", "(" + FILE_DESCRIPTOR + ")V");
        } else if (kind == Kind.QUICK_CHANNEL) {
            quickChannel();
        } else if (kind == Kind.QUICK_STREAM) {
            quickStream();
        } else if (kind == Kind.SET_OPTION) {
            setOption();
        } else {
            getOption();
        }
        pad(start);
        pad(beforeReturn);
    }

    int frames() {
        return frames;
    }

    /** Where the last frame of the start is, or -1. */
    int lastFrame() {
        return lastFrame;
    }

    private void transfer() {
        boolean isLong = edge.descriptor().endsWith("J");
        load(start, ALOAD, 1);
        load(start, LLOAD, 2);
        load(start, ILOAD, 4);
        hook(start, "before", edge.descriptor());
        if (isLong) {
            start.u1(DUP2).u1(LDC2_W).u2(pool.addLong(PROCEED)).u1(LCMP);
            proceed(IFEQ, LRETURN, POP2, ITEM_LONG);
        } else {
            start.u1(DUP).u1(LDC_W).u2(pool.addInteger(PROCEED));
            proceed(IF_ICMPEQ, IRETURN, POP, ITEM_INTEGER);
        }
        afterResult(isLong ? "J" : "I", 1);
        if (edge.kind() == Kind.TRANSFER_OR_FAIL) {
            load(handler, ALOAD, 1);
            handler.u1(INVOKESTATIC).u2(pool.addHook("failedRead", "(" + FILE_DESCRIPTOR + ")V")).u1(ATHROW);
        }
    }

    private void fileTransfer() {
        load(start, ALOAD, 4);
        hook(start, "before", "(" + FILE_DESCRIPTOR + ")J");
        start.u1(DUP2).u1(LCONST_0).u1(LCMP);
        proceed(IFEQ, LRETURN, POP2, ITEM_LONG);
        afterResult("J", 4);
    }

    private void afterResult(String type, int descriptorSlot) {
        load(beforeReturn, ALOAD, descriptorSlot);
        hook(beforeReturn, "after", "(" + type + FILE_DESCRIPTOR + ")" + type);
    }

    private void quickChannel() {
        load(start, ALOAD, 0);
        field(start, "fdVal", "I");
        field(start, lock(), LOCK);
        load(start, ALOAD, 1);
        hook(start, "quick", "(L" + self + ";I" + LOCK + "Ljava/nio/ByteBuffer;)I");
        start.u1(DUP);
        proceed(IFLE, IRETURN, POP, ITEM_INTEGER);
    }

    private void quickStream() {
        field(start, "fd", FILE_DESCRIPTOR);
        field(start, lock(), LOCK);
        load(start, ALOAD, 1);
        load(start, ILOAD, 2);
        load(start, ILOAD, 3);
        hook(start, "quick", "(" + FILE_DESCRIPTOR + LOCK + "[BII)I");
        if (edge.descriptor().endsWith("V")) {
            int toProceed = jump(IFLE);
            start.u1(RETURN);
            land(toProceed, NO_ITEM);
        } else {
            start.u1(DUP);
            proceed(IFLE, IRETURN, POP, ITEM_INTEGER);
        }
    }

    private void setOption() {
        int toProceed = unlessServer();
        load(start, ALOAD, 0);
        field(start, "fd", FILE_DESCRIPTOR);
        load(start, ALOAD, 1);
        load(start, ALOAD, 2);
        hook(start, "before", "(Ljava/lang/Object;" + FILE_DESCRIPTOR + "Ljava/net/SocketOption;Ljava/lang/Object;)Z");
        int toBody = jump(IFEQ);
        if (edge.descriptor().endsWith("V")) {
            start.u1(RETURN);
        } else {
            load(start, ALOAD, 0);
            start.u1(ARETURN);
        }
        if (toProceed != NO_JUMP) {
            target(toProceed);
        }
        land(toBody, NO_ITEM);
    }

    private void getOption() {
        int toProceed = unlessServer();
        load(start, ALOAD, 0);
        field(start, "fd", FILE_DESCRIPTOR);
        load(start, ALOAD, 1);
        hook(start, "before", "(Ljava/lang/Object;" + FILE_DESCRIPTOR + "Ljava/net/SocketOption;)Ljava/lang/Object;");
        start.u1(DUP);
        proceed(IFNULL, ARETURN, POP, ITEM_OBJECT);
        if (toProceed != NO_JUMP) {
            land(toProceed, NO_ITEM);
        }
    }

    /** One class of the JDK is both ends of a stream. The place of the jump, if any. */
    private int unlessServer() {
        if (!edge.in().equals("NioSocketImpl")) {
            return NO_JUMP;
        }
        field(start, "server", "Z");
        return jump(IFEQ);
    }

    private String lock() {
        return edge.hook().equals("Read") ? "readLock" : "writeLock";
    }

    private static void load(Bytes code, int opcode, int slot) {
        code.u1(opcode).u1(slot);
    }

    private void field(Bytes code, String name, String descriptor) {
        load(code, ALOAD, 0);
        code.u1(GETFIELD).u2(pool.field(self, name, descriptor));
    }

    private void hook(Bytes code, String edgeName, String descriptor) {
        code.u1(INVOKESTATIC).u2(pool.addHook(edgeName + edge.hook(), descriptor));
    }

    /** Returns what is on the stack, or removes it and goes on. */
    private void proceed(int jumpOpcode, int returnOpcode, int popOpcode, int item) {
        int toProceed = jump(jumpOpcode);
        start.u1(returnOpcode);
        land(toProceed, item);
        start.u1(popOpcode);
    }

    private int jump(int opcode) {
        start.u1(opcode).u2(0);
        return start.size() - 3;
    }

    private void target(int jump) {
        start.put2(jump + 1, start.size() - jump);
    }

    /** A jump's end, with the frame that the verifier wants there: the arguments and at most one item on the stack. */
    private void land(int jump, int item) {
        target(jump);
        startFrames.u1(item == NO_ITEM ? SAME_FRAME_EXTENDED : SAME_LOCALS_1_STACK_ITEM_FRAME_EXTENDED)
                .u2(start.size() - lastFrame - 1);
        if (item != NO_ITEM) {
            startFrames.u1(item);
        }
        if (item == ITEM_OBJECT) {
            startFrames.u2(pool.addClass("java/lang/Object"));
        }
        lastFrame = start.size();
        frames++;
    }

    /** The handler's frame: nothing but the descriptor and the exception. */
    void handlerFrame(Bytes out, int offsetDelta) {
        out.u1(FULL_FRAME).u2(offsetDelta);
        out.u2(2).u1(ITEM_TOP).u1(ITEM_OBJECT).u2(pool.addClass("java/io/FileDescriptor"));
        out.u2(1).u1(ITEM_OBJECT).u2(pool.addClass("java/lang/Throwable"));
    }

    /** At least one byte, so that no frame of ours is where the method's first may be. */
    private static void pad(Bytes code) {
        if (code.size() > 0) {
            do {
                code.u1(NOP);
            } while (code.size() % 4 != 0);
        }
    }
}
