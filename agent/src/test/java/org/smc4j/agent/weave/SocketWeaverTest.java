package org.smc4j.agent.weave;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.ReturnInstruction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is woven into the classes of the JDK that runs the test. */
@Timeout(60)
class SocketWeaverTest {
    private static final String HOOKS = "sun/nio/ch/SocketHooks";

    static Set<String> classes() {
        return Seams.classes();
    }

    @Test
    void shouldFindEverySeam() throws IOException {
        final SocketWeaver weaver = new SocketWeaver();
        assertEquals(Seams.classes().size(), weaver.missing().size());
        for (String name : weaver.classes()) {
            weaver.weave("sun/nio/ch/" + name, jdk(name));
            assertTrue(weaver.isWoven(name));
        }
        assertEquals(Set.of(), weaver.missing());
    }

    @ParameterizedTest
    @MethodSource("classes")
    void shouldPassTheVerifier(String name) throws IOException {
        assertEquals(List.of(), ClassFile.of().verify(weave(name)));
    }

    @ParameterizedTest
    @MethodSource("classes")
    void shouldKeepConstantsFieldsAndMethods(String name) throws IOException {
        final ClassModel before = ClassFile.of().parse(jdk(name));
        final ClassModel after = ClassFile.of().parse(weave(name));
        for (PoolEntry entry : before.constantPool()) {
            assertEquals(entry.toString(), after.constantPool().entryByIndex(entry.index()).toString());
        }
        assertEquals(before.fields().toString(), after.fields().toString());
        assertEquals(before.methods().toString(), after.methods().toString());
        assertEquals(before.attributes().toString(), after.attributes().toString());
    }

    @ParameterizedTest
    @MethodSource("classes")
    void shouldCallTheHooksAndNothingElse(String name) throws IOException {
        final List<MethodModel> before = ClassFile.of().parse(jdk(name)).methods();
        final List<MethodModel> after = ClassFile.of().parse(weave(name)).methods();
        for (int i = 0; i < before.size(); i++) {
            final MethodModel method = before.get(i);
            if (method.code().isPresent()) {
                final TreeMap<String, Integer> expected = expectedHooks(name, method);
                assertEquals(expected, hooks(after.get(i)), method.toString());
                if (expected.isEmpty()) {
                    assertArrayEquals(code(method).codeArray(), code(after.get(i)).codeArray(), method.toString());
                }
                assertKeepsInstructions(method, after.get(i));
            }
        }
    }

    @Test
    void shouldReportWhatIsMissing() throws IOException {
        final SocketWeaver weaver = new SocketWeaver();
        // A class of a JDK in which other methods have these names.
        weaver.weave("sun/nio/ch/SocketDispatcher", bytes("/org/smc4j/agent/weave/SocketWeaverTest$Dispatcher.class"));
        final Set<String> missing = weaver.missing();
        assertTrue(missing.contains("sun.nio.ch.SocketDispatcher.read(Ljava/io/FileDescriptor;JI)I"), missing.toString());
        assertTrue(missing.contains("sun.nio.ch.SocketDispatcher.readv(Ljava/io/FileDescriptor;JI)J"), missing.toString());
        assertTrue(missing.contains("sun.nio.ch.SocketDispatcher.write(Ljava/io/FileDescriptor;JI)I"), missing.toString());
        assertTrue(missing.contains("sun.nio.ch.NioSocketImpl"), missing.toString());
    }

    @Test
    void shouldReportCallsThatAreMissing() throws IOException {
        final SocketWeaver weaver = new SocketWeaver();
        weaver.weave("sun/nio/ch/NativeDispatcher", jdk("SocketDispatcher"));
        assertTrue(weaver.missing().contains("sun.nio.ch.NativeDispatcher calling Poller.stopPoll"));
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand() throws IOException {
        assertRefused("SocketDispatcher", "unknown attribute",
                replace(jdk("SocketDispatcher"), "LineNumberTable", "ColumnNumbTable"));
        assertRefused("SocketChannelImpl", "fdVal", replace(jdk("SocketChannelImpl"), "fdVal", "fdNum"));
        assertRefused("SocketDispatcher", "", new byte[] {1, 2, 3});
    }

    @Test
    void shouldLeaveOtherClassesAlone() {
        final SocketWeaver weaver = new SocketWeaver();
        assertNull(weaver.weave("A", new byte[0]));
        assertNull(weaver.weave("java/lang/Object", new byte[0]));
        assertNull(weaver.weave("sun/nio/ch/IOUtil", new byte[0]));
    }

    @Test
    void shouldKnowTheLengthOfEveryInstruction() {
        for (Opcode opcode : Opcode.values()) {
            final int size = opcode.sizeIfFixed();
            if (opcode.kind() != Opcode.Kind.DISCONTINUED_JSR && opcode.kind() != Opcode.Kind.DISCONTINUED_RET && size > 0) {
                final byte[] code = opcode.isWide() ? new byte[] {(byte) 196, (byte) opcode.bytecode()}
                        : new byte[] {(byte) opcode.bytecode()};
                assertEquals(size, CodeInsertion.length(code, 0, 0), opcode.toString());
            }
        }
    }

    @Test
    void shouldSwitchOffNettyNatives() throws IOException {
        final String property = Relocated.property();
        try {
            NettyNatives.disable("Epoll", bytes("/org/smc4j/agent/weave/SocketWeaverTest$Relocated.class"));
            assertEquals("true", System.getProperty(property));
        } finally {
            System.clearProperty(property);
        }
    }

    private static void assertRefused(String name, String why, byte[] bytes) {
        final SocketWeaver weaver = new SocketWeaver();
        assertNull(weaver.weave("sun/nio/ch/" + name, bytes));
        assertTrue(weaver.missing().stream().anyMatch(text -> text.startsWith("sun.nio.ch." + name + " (") && text.contains(why)),
                weaver.missing().toString());
    }

    /** By name and type of the hook, how often it is to be called. */
    private static TreeMap<String, Integer> expectedHooks(String name, MethodModel method) {
        final TreeMap<String, Integer> result = new TreeMap<>();
        int returns = 0;
        for (CodeElement element : code(method)) {
            if (element instanceof InvokeInstruction invoke && invoke.opcode() == Opcode.INVOKESTATIC
                    && isRedirected(name, invoke.owner().asInternalName(), invoke.name().stringValue())) {
                result.merge(invoke.name().stringValue() + invoke.type().stringValue(), 1, Integer::sum);
            } else if (element instanceof ReturnInstruction) {
                returns++;
            }
        }
        for (Seams.Edge edge : Seams.EDGES) {
            if (edge.in().equals(name) && method.methodName().equalsString(edge.method())
                    && method.methodType().equalsString(edge.descriptor())) {
                addHooks(result, edge, returns);
            }
        }
        return result;
    }

    private static boolean isRedirected(String name, String owner, String method) {
        for (Seams.Redirect redirect : Seams.REDIRECTS) {
            if (redirect.in().equals(name) && owner.equals("sun/nio/ch/" + redirect.owner())
                    && List.of(redirect.methods()).contains(method)) {
                return true;
            }
        }
        return false;
    }

    private static void addHooks(TreeMap<String, Integer> hooks, Seams.Edge edge, int returns) {
        final String descriptor = "Ljava/io/FileDescriptor;";
        final String lock = "Ljava/util/concurrent/locks/ReentrantLock;";
        final String result = edge.descriptor().substring(edge.descriptor().length() - 1);
        switch (edge.kind()) {
            case TRANSFER, TRANSFER_OR_FAIL -> {
                hooks.put("before" + edge.hook() + edge.descriptor(), 1);
                hooks.put("after" + edge.hook() + "(" + result + descriptor + ")" + result, returns);
                if (edge.kind() == Seams.Kind.TRANSFER_OR_FAIL) {
                    hooks.put("failedRead(" + descriptor + ")V", 1);
                }
            }
            case BEFORE -> hooks.put("before" + edge.hook() + "(" + descriptor + ")V", 1);
            case FILE_TRANSFER -> {
                hooks.put("before" + edge.hook() + "(" + descriptor + ")J", 1);
                hooks.put("after" + edge.hook() + "(J" + descriptor + ")J", returns);
            }
            case AFTER -> hooks.put("after" + edge.hook() + "(" + descriptor + ")V", returns);
            case QUICK_CHANNEL -> hooks.put("quick" + edge.hook() + "(Lsun/nio/ch/" + edge.in() + ";I" + lock
                    + "Ljava/nio/ByteBuffer;)I", 1);
            case QUICK_STREAM -> hooks.put("quick" + edge.hook() + "(" + descriptor + lock + "[BII)I", 1);
            case SET_OPTION -> hooks.put("beforeSetOption(Ljava/lang/Object;" + descriptor
                    + "Ljava/net/SocketOption;Ljava/lang/Object;)Z", 1);
            case GET_OPTION -> hooks.put("beforeGetOption(Ljava/lang/Object;" + descriptor
                    + "Ljava/net/SocketOption;)Ljava/lang/Object;", 1);
        }
    }

    private static TreeMap<String, Integer> hooks(MethodModel method) {
        final TreeMap<String, Integer> result = new TreeMap<>();
        for (CodeElement element : code(method)) {
            if (element instanceof InvokeInstruction invoke && invoke.owner().name().equalsString(HOOKS)) {
                assertEquals(Opcode.INVOKESTATIC, invoke.opcode());
                result.merge(invoke.name().stringValue() + invoke.type().stringValue(), 1, Integer::sum);
            }
        }
        return result;
    }

    /** Every instruction is there still, in its order and on its line. */
    private static void assertKeepsInstructions(MethodModel before, MethodModel after) {
        final List<String> there = instructions(after);
        int next = 0;
        for (String instruction : instructions(before)) {
            final int found = there.subList(next, there.size()).indexOf(instruction);
            assertTrue(found >= 0, before + ": " + instruction);
            next += found + 1;
        }
    }

    private static List<String> instructions(MethodModel method) {
        final List<String> result = new ArrayList<>();
        int line = 0;
        for (CodeElement element : code(method)) {
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof Instruction instruction) {
                result.add(instruction.opcode() + " of line " + line);
            }
        }
        return result;
    }

    private static CodeAttribute code(MethodModel method) {
        return (CodeAttribute) method.code().orElseThrow();
    }

    private static byte[] weave(String name) throws IOException {
        return new SocketWeaver().weave("sun/nio/ch/" + name, jdk(name));
    }

    private static byte[] jdk(String name) throws IOException {
        return bytes("/sun/nio/ch/" + name + ".class");
    }

    private static byte[] bytes(String resource) throws IOException {
        final Class<?> owner = resource.startsWith("/sun/") ? Object.class : SocketWeaverTest.class;
        try (InputStream in = owner.getResourceAsStream(resource)) {
            return in.readAllBytes();
        }
    }

    private static byte[] replace(byte[] bytes, String from, String to) {
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    static final class Dispatcher {
        int read(java.io.FileDescriptor fd, long address) {
            return 0;
        }

        static int write(java.io.FileDescriptor fd, long address, int len) {
            return 0;
        }
    }

    static final class Relocated {
        static String property() {
            return "relocated.io.netty.transport.noNative";
        }
    }
}
