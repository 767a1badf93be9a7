package org.smc4j.agent.weave;

import java.nio.charset.StandardCharsets;

/** The constants of a class file and those to append to them; the indexes of what was there stay. */
final class ConstantPool {
    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELDREF = 9;
    private static final int METHODREF = 10;
    private static final int NAME_AND_TYPE = 12;
    /** The size of an entry by its tag, the tag included; 0 for a tag that does not exist. */
    private static final String SIZES = "000559933555500435533";
    private static final int START = 10;
    private static final int LIMIT = 0xFFFF;

    private final byte[] in;
    private final int[] entries;
    private final int end;
    private final Bytes added = new Bytes(1024);
    private int count;
    private int hooks;

    ConstantPool(byte[] in) {
        this.in = in;
        count = Bytes.u2(in, START - 2);
        entries = new int[count];
        int next = START;
        for (int i = 1; i < count; i++) {
            entries[i] = next;
            int tag = in[next];
            int size = tag == UTF8 ? 3 + Bytes.u2(in, next + 1) : SIZES.charAt(tag) - '0';
            if (size == 0) {
                throw new IllegalArgumentException("unknown constant " + tag);
            }
            next += size;
            if (tag == LONG || tag == DOUBLE) {
                i++;
            }
        }
        end = next;
    }

    /** Where what follows the constants begins. */
    int end() {
        return end;
    }

    /** The number of entries that the class file has itself, the unused one at 0 included. */
    int size() {
        return entries.length;
    }

    boolean isText(int index, String text) {
        int at = entries[index];
        int length = text.length();
        if (in[at] != UTF8 || Bytes.u2(in, at + 1) != length) {
            return false;
        }
        // From the end, as names in a package begin alike.
        for (int i = length - 1; i >= 0; i--) {
            if (in[at + 3 + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The value of a String constant, or null if the entry is something else. */
    String string(int index) {
        int at = entries[index];
        if (at == 0 || in[at] != STRING) {
            return null;
        }
        int text = entries[Bytes.u2(in, at + 1)];
        return new String(in, text + 3, Bytes.u2(in, text + 1), StandardCharsets.UTF_8);
    }

    /** Whether the entry is a method of that class. */
    boolean isMethodOf(int index, String owner) {
        return isMember(index, METHODREF, owner);
    }

    private boolean isMember(int index, int tag, String owner) {
        int at = entries[index];
        return at != 0 && in[at] == tag && isText(Bytes.u2(in, entries[Bytes.u2(in, at + 1)] + 1), owner);
    }

    /** Whether the entry, a field or method, has that name. */
    boolean isNamed(int member, String name) {
        return isText(Bytes.u2(in, nameAndType(member) + 1), name);
    }

    private int nameAndType(int member) {
        return entries[Bytes.u2(in, entries[member] + 3)];
    }

    /** A field as the class itself refers to it; a class that does not is another than we know. */
    int field(String owner, String name, String descriptor) {
        for (int i = 1; i < entries.length; i++) {
            if (isMember(i, FIELDREF, owner) && isNamed(i, name)
                    && isText(Bytes.u2(in, nameAndType(i) + 3), descriptor)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no use of the field " + name);
    }

    /** Appends the hook of the same name and type as the method at an index. */
    int addHookLike(int method) {
        return addHook(Bytes.u2(in, entries[method] + 3));
    }

    int addHook(String name, String descriptor) {
        int nameIndex = addText(name);
        int descriptorIndex = addText(descriptor);
        added.u1(NAME_AND_TYPE).u2(nameIndex).u2(descriptorIndex);
        return addHook(next(1));
    }

    private int addHook(int nameAndType) {
        if (hooks == 0) {
            hooks = addClass(Seams.PACKAGE + "SocketHooks");
        }
        added.u1(METHODREF).u2(hooks).u2(nameAndType);
        return next(1);
    }

    int addClass(String name) {
        int text = addText(name);
        added.u1(CLASS).u2(text);
        return next(1);
    }

    /** The text is ASCII. */
    int addText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        added.u1(UTF8).u2(bytes.length).copy(bytes, 0, bytes.length);
        return next(1);
    }

    int addInteger(int value) {
        added.u1(INTEGER).u4(value);
        return next(1);
    }

    int addLong(long value) {
        added.u1(LONG).u4((int) (value >> 32)).u4((int) value);
        return next(2);
    }

    private int next(int entriesTaken) {
        int index = count;
        count += entriesTaken;
        if (count > LIMIT) {
            throw new IllegalArgumentException("no room for constants");
        }
        return index;
    }

    /** The class file up to the end of its constants. */
    void write(Bytes out) {
        out.copy(in, 0, START - 2).u2(count).copy(in, START, end).copy(added);
    }
}
