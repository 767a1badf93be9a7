package org.smc4j.agent.weave;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Applies {@link Seams} to the bytes of one class at a time and keeps a list of what it did not find. Any thread may weave.
 *
 * <p>The first class is woven while the application waits to start, on a JVM that has compiled nothing yet. There the JDK's own
 * class-file API takes 45 to 60 ms, for some 200 classes of its own and the lambdas in them; hence this patches bytes itself: a
 * redirected call gets another constant, in place, and only the methods that have something at their edges are laid out anew. A
 * class that is loaded already can be woven, too, as all constants, fields and methods stay what they are.
 */
public final class SocketWeaver {
    private final Set<String> classes = Seams.classes();
    private final Set<String> woven = ConcurrentHashMap.newKeySet();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    /** The woven class, or null if it is none of ours or cannot be woven. */
    public byte[] weave(String internalName, byte[] bytes) {
        if (!internalName.startsWith(Seams.PACKAGE)) {
            return null;
        }
        String name = internalName.substring(Seams.PACKAGE.length());
        if (!classes.contains(name)) {
            return null;
        }
        Set<String> found = new HashSet<>();
        byte[] result;
        try {
            result = new ClassWeaver(name, bytes.clone(), found).weave();
        } catch (RuntimeException | LinkageError e) {
            missing.add("sun.nio.ch." + name + " (" + e + ")");
            return null;
        }
        for (String expected : expected(name)) {
            if (!found.contains(expected)) {
                missing.add(expected);
            }
        }
        woven.add(name);
        return result;
    }

    /** What was looked for and not found, or not woven at all; empty if every seam is in its place. */
    public Set<String> missing() {
        Set<String> result = new HashSet<>(missing);
        for (String name : classes) {
            if (!woven.contains(name)) {
                result.add("sun.nio.ch." + name);
            }
        }
        return result;
    }

    /** The classes to weave, without package. */
    public Set<String> classes() {
        return classes;
    }

    public boolean isWoven(String name) {
        return woven.contains(name);
    }

    /** The classes to define into java.base first, in this order. */
    public static String[] hooks() {
        return Seams.HOOKS.clone();
    }

    private static Set<String> expected(String name) {
        Set<String> result = new HashSet<>();
        for (Seams.Redirect redirect : Seams.REDIRECTS) {
            if (redirect.in().equals(name)) {
                for (String method : redirect.methods()) {
                    result.add(call(name, redirect.owner(), method));
                }
            }
        }
        for (Seams.Edge edge : Seams.EDGES) {
            if (edge.in().equals(name)) {
                result.add(method(name, edge.method(), edge.descriptor()));
            }
        }
        return result;
    }

    private static String call(String in, String owner, String method) {
        return "sun.nio.ch." + in + " calling " + owner + "." + method;
    }

    private static String method(String in, String method, String descriptor) {
        return "sun.nio.ch." + in + "." + method + descriptor;
    }

    /** Weaves one class; calls are redirected in the bytes that it is given. */
    private static final class ClassWeaver {
        private static final int ACC_STATIC = 8;
        private static final byte INVOKESTATIC = (byte) 184;
        /** Access flags, name and descriptor of a field or method. */
        private static final int MEMBER_HEADER = 6;
        /** Name and length. */
        private static final int ATTRIBUTE_HEADER = 6;

        private final String name;
        private final byte[] in;
        private final Set<String> found;
        private final ConstantPool pool;
        /** By the constant of a method to redirect: its hook's, and what calls of it are named. */
        private final int[] hooks;
        private final String[] calls;
        private final Bytes out;
        private int at;
        private int copied;

        ClassWeaver(String name, byte[] in, Set<String> found) {
            this.name = name;
            this.in = in;
            this.found = found;
            pool = new ConstantPool(in);
            hooks = new int[pool.size()];
            calls = new String[pool.size()];
            out = new Bytes(in.length + 1024);
        }

        byte[] weave() {
            boolean redirects = redirects();
            copied = pool.end();
            int interfaces = pool.end() + 6;
            at = interfaces + 2 + 2 * Bytes.u2(in, interfaces);
            for (int fields = next2(); fields > 0; fields--) {
                at += MEMBER_HEADER;
                for (int attributes = next2(); attributes > 0; attributes--) {
                    at = attributeEnd();
                }
            }
            for (int methods = next2(); methods > 0; methods--) {
                int method = at;
                at += MEMBER_HEADER;
                for (int attributes = next2(); attributes > 0; attributes--) {
                    int end = attributeEnd();
                    if (pool.isText(Bytes.u2(in, at), "Code")) {
                        weaveCode(method, end, redirects);
                    }
                    at = end;
                }
            }
            out.copy(in, copied, in.length);
            Bytes whole = new Bytes(out.size() + 2 * copied);
            pool.write(whole);
            return whole.copy(out).toArray();
        }

        private void weaveCode(int method, int end, boolean redirects) {
            if (redirects) {
                redirectCalls(at + ATTRIBUTE_HEADER);
            }
            Seams.Edge edge = edge(method);
            if (edge != null) {
                out.copy(in, copied, at + 2).u4(0);
                int contents = out.size();
                new CodeInsertion(in, at + ATTRIBUTE_HEADER, pool, new EdgeCode(edge, pool), out).write();
                out.put4(contents - 4, out.size() - contents);
                copied = end;
            }
        }

        private int attributeEnd() {
            return at + ATTRIBUTE_HEADER + Bytes.s4(in, at + 2);
        }

        private int next2() {
            at += 2;
            return Bytes.u2(in, at - 2);
        }

        /** False if this class has no calls to redirect. */
        private boolean redirects() {
            boolean any = false;
            for (Seams.Redirect redirect : Seams.REDIRECTS) {
                if (redirect.in().equals(name)) {
                    any = true;
                    String owner = Seams.PACKAGE + redirect.owner();
                    for (int i = 1; i < hooks.length; i++) {
                        if (pool.isMethodOf(i, owner)) {
                            redirect(i, redirect);
                        }
                    }
                }
            }
            return any;
        }

        private void redirect(int constant, Seams.Redirect redirect) {
            for (String method : redirect.methods()) {
                if (pool.isNamed(constant, method)) {
                    hooks[constant] = pool.addHookLike(constant);
                    calls[constant] = call(name, redirect.owner(), method);
                }
            }
        }

        private void redirectCalls(int code) {
            int start = code + CodeInsertion.HEADER;
            int end = start + Bytes.s4(in, start - 4);
            if (!mayCallRedirected(start, end)) {
                return;
            }
            for (int instruction = start; instruction < end; instruction += CodeInsertion.length(in, instruction, start)) {
                if (in[instruction] == INVOKESTATIC) {
                    int constant = Bytes.u2(in, instruction + 1);
                    if (hooks[constant] != 0) {
                        Bytes.put2(in, instruction + 1, hooks[constant]);
                        found.add(calls[constant]);
                    }
                }
            }
        }

        /**
         * Whether the code has bytes as a call to redirect has; they may be something else. Taking every method apart that has
         * not would be most of the time.
         */
        private boolean mayCallRedirected(int start, int end) {
            for (int i = start; i + 2 < end; i++) {
                if (in[i] == INVOKESTATIC) {
                    int constant = Bytes.u2(in, i + 1);
                    if (constant < hooks.length && hooks[constant] != 0) {
                        return true;
                    }
                }
            }
            return false;
        }

        private Seams.Edge edge(int method) {
            if ((Bytes.u2(in, method) & ACC_STATIC) != 0) {
                return null;
            }
            for (Seams.Edge edge : Seams.EDGES) {
                if (edge.in().equals(name) && pool.isText(Bytes.u2(in, method + 2), edge.method())
                        && pool.isText(Bytes.u2(in, method + 4), edge.descriptor())) {
                    found.add(method(name, edge.method(), edge.descriptor()));
                    return edge;
                }
            }
            return null;
        }
    }
}
