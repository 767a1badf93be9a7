package org.smc4j.agent.weave;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Applies {@link Seams} to the bytes of one class at a time and keeps a list of what it did not find. Any thread may weave.
 */
public final class SocketWeaver {
    private static final ClassDesc HOOKS = ClassDesc.of("sun.nio.ch.SocketHooks");
    private static final ClassDesc FILE_DESCRIPTOR = ClassDesc.of("java.io.FileDescriptor");
    private static final ClassDesc LOCK = ClassDesc.of("java.util.concurrent.locks.ReentrantLock");
    private static final ClassDesc BYTE_BUFFER = ClassDesc.of("java.nio.ByteBuffer");
    private static final ClassDesc SOCKET_OPTION = ClassDesc.of("java.net.SocketOption");
    private static final ClassDesc BYTES = ConstantDescs.CD_byte.arrayType();
    private static final byte INVOKESTATIC = (byte) Opcode.INVOKESTATIC.bytecode();
    private static final int PROCEED = Integer.MIN_VALUE;

    private final Set<String> classes = Seams.classes();
    private final Set<String> woven = ConcurrentHashMap.newKeySet();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    /** The woven class, or null if it is none of ours. */
    public byte[] weave(String internalName, byte[] bytes) {
        String name = internalName.substring(Seams.PACKAGE.length());
        if (!internalName.startsWith(Seams.PACKAGE) || !classes.contains(name)) {
            return null;
        }
        Set<String> found = new HashSet<>();
        ClassModel model = ClassFile.of().parse(bytes);
        ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(resolver(model)));
        byte[] result;
        try {
            result = classFile.transformClass(model, new ClassWeaver(name, model, found));
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

    /** The class itself is being loaded right now, so it must not be looked up by loading it. */
    private static ClassHierarchyResolver resolver(ClassModel model) {
        ClassDesc self = model.thisClass().asSymbol();
        ClassHierarchyInfo info = model.flags().has(AccessFlag.INTERFACE) ? ClassHierarchyInfo.ofInterface()
                : ClassHierarchyInfo.ofClass(model.superclass().orElseThrow().asSymbol());
        ClassHierarchyResolver others = ClassHierarchyResolver.defaultResolver();
        return type -> type.equals(self) ? info : others.getClassInfo(type);
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

    private static final class ClassWeaver implements ClassTransform {
        private final String name;
        private final ClassDesc self;
        private final Set<String> found;
        private final BitSet redirected = new BitSet();

        ClassWeaver(String name, ClassModel model, Set<String> found) {
            this.name = name;
            this.self = model.thisClass().asSymbol();
            this.found = found;
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MethodRefEntry method && redirect(method) != null) {
                    redirected.set(entry.index());
                }
            }
        }

        @Override
        public void accept(ClassBuilder builder, ClassElement element) {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                Seams.Edge edge = edge(method);
                if (edge != null || mayCallRedirected(method)) {
                    builder.transformMethod(method, new MethodWeaver(this, edge));
                    return;
                }
            }
            builder.with(element);
        }

        /**
         * Whether the code has bytes as a call to redirect has; they may be something else. Taking every method apart that has
         * not would be most of the time that the first socket of a process waits for.
         */
        private boolean mayCallRedirected(MethodModel method) {
            if (redirected.isEmpty()) {
                return false;
            }
            byte[] code = ((CodeAttribute) method.code().orElseThrow()).codeArray();
            for (int i = 0; i + 2 < code.length; i++) {
                if (code[i] == INVOKESTATIC && redirected.get((code[i + 1] & 0xFF) << 8 | code[i + 2] & 0xFF)) {
                    return true;
                }
            }
            return false;
        }

        /** The callee's class without package if calls of the method are redirected in this class, else null. */
        private String redirect(MemberRefEntry method) {
            String callee = method.owner().asInternalName();
            if (!callee.startsWith(Seams.PACKAGE)) {
                return null;
            }
            String calleeName = callee.substring(Seams.PACKAGE.length());
            for (Seams.Redirect redirect : Seams.REDIRECTS) {
                if (redirect.in().equals(name) && redirect.owner().equals(calleeName)) {
                    for (String known : redirect.methods()) {
                        if (method.name().equalsString(known)) {
                            return calleeName;
                        }
                    }
                }
            }
            return null;
        }

        private Seams.Edge edge(MethodModel method) {
            for (Seams.Edge edge : Seams.EDGES) {
                if (edge.in().equals(name) && method.methodName().equalsString(edge.method())
                        && method.methodType().equalsString(edge.descriptor())) {
                    found.add(method(name, edge.method(), edge.descriptor()));
                    return edge;
                }
            }
            return null;
        }
    }

    private record MethodWeaver(ClassWeaver owner, Seams.Edge edge) implements MethodTransform {
        @Override
        public void accept(MethodBuilder builder, MethodElement element) {
            if (element instanceof CodeModel code) {
                builder.transformCode(code, new CodeWeaver(owner, edge));
            } else {
                builder.with(element);
            }
        }
    }

    private static final class CodeWeaver implements CodeTransform {
        private final ClassWeaver owner;
        private final Seams.Edge edge;
        private Label bodyStart;

        CodeWeaver(ClassWeaver owner, Seams.Edge edge) {
            this.owner = owner;
            this.edge = edge;
        }

        @Override
        public void atStart(CodeBuilder code) {
            if (edge == null) {
                return;
            }
            switch (edge.kind()) {
                case TRANSFER, TRANSFER_OR_FAIL -> beforeTransfer(code);
                case BEFORE -> code.aload(1).invokestatic(HOOKS, "before" + edge.hook(),
                        MethodTypeDesc.of(ConstantDescs.CD_void, FILE_DESCRIPTOR));
                case FILE_TRANSFER -> beforeFileTransfer(code);
                case QUICK_CHANNEL -> quickChannel(code);
                case QUICK_STREAM -> quickStream(code);
                case SET_OPTION -> setOption(code);
                case GET_OPTION -> getOption(code);
                case AFTER -> {
                }
            }
        }

        private void beforeTransfer(CodeBuilder code) {
            boolean isLong = edge.descriptor().endsWith("J");
            Label proceed = code.newLabel();
            code.aload(1).lload(2).iload(4).invokestatic(HOOKS, "before" + edge.hook(),
                    MethodTypeDesc.ofDescriptor(edge.descriptor()));
            if (isLong) {
                code.dup2().loadConstant((long) PROCEED).lcmp().ifeq(proceed).lreturn().labelBinding(proceed).pop2();
            } else {
                code.dup().loadConstant(PROCEED).if_icmpeq(proceed).ireturn().labelBinding(proceed).pop();
            }
            bodyStart = code.newBoundLabel();
        }

        private void beforeFileTransfer(CodeBuilder code) {
            Label proceed = code.newLabel();
            code.aload(4).invokestatic(HOOKS, "before" + edge.hook(), MethodTypeDesc.of(ConstantDescs.CD_long, FILE_DESCRIPTOR))
                    .dup2().lconst_0().lcmp().ifeq(proceed).lreturn().labelBinding(proceed).pop2();
        }

        private void quickChannel(CodeBuilder code) {
            Label proceed = code.newLabel();
            code.aload(0).aload(0).getfield(owner.self, "fdVal", ConstantDescs.CD_int)
                    .aload(0).getfield(owner.self, lock(), LOCK).aload(1)
                    .invokestatic(HOOKS, "quick" + edge.hook(),
                            MethodTypeDesc.of(ConstantDescs.CD_int, owner.self, ConstantDescs.CD_int, LOCK, BYTE_BUFFER))
                    .dup().ifle(proceed).ireturn().labelBinding(proceed).pop();
        }

        private void quickStream(CodeBuilder code) {
            Label proceed = code.newLabel();
            code.aload(0).getfield(owner.self, "fd", FILE_DESCRIPTOR).aload(0).getfield(owner.self, lock(), LOCK)
                    .aload(1).iload(2).iload(3).invokestatic(HOOKS, "quick" + edge.hook(), MethodTypeDesc.of(
                            ConstantDescs.CD_int, FILE_DESCRIPTOR, LOCK, BYTES, ConstantDescs.CD_int, ConstantDescs.CD_int));
            if (edge.descriptor().endsWith("V")) {
                code.ifle(proceed).return_().labelBinding(proceed);
            } else {
                code.dup().ifle(proceed).ireturn().labelBinding(proceed).pop();
            }
        }

        private void setOption(CodeBuilder code) {
            Label proceed = code.newLabel();
            unlessServer(code, proceed);
            code.aload(0).aload(0).getfield(owner.self, "fd", FILE_DESCRIPTOR).aload(1).aload(2)
                    .invokestatic(HOOKS, "before" + edge.hook(), MethodTypeDesc.of(ConstantDescs.CD_boolean,
                            ConstantDescs.CD_Object, FILE_DESCRIPTOR, SOCKET_OPTION, ConstantDescs.CD_Object))
                    .ifeq(proceed);
            if (edge.descriptor().endsWith("V")) {
                code.return_();
            } else {
                code.aload(0).areturn();
            }
            code.labelBinding(proceed);
        }

        private void getOption(CodeBuilder code) {
            Label proceed = code.newLabel();
            Label unknown = code.newLabel();
            unlessServer(code, proceed);
            code.aload(0).aload(0).getfield(owner.self, "fd", FILE_DESCRIPTOR).aload(1)
                    .invokestatic(HOOKS, "before" + edge.hook(), MethodTypeDesc.of(ConstantDescs.CD_Object,
                            ConstantDescs.CD_Object, FILE_DESCRIPTOR, SOCKET_OPTION))
                    .dup().ifnull(unknown).areturn().labelBinding(unknown).pop().labelBinding(proceed);
        }

        /** One class of the JDK is both ends of a stream. */
        private void unlessServer(CodeBuilder code, Label proceed) {
            if (owner.name.equals("NioSocketImpl")) {
                code.aload(0).getfield(owner.self, "server", ConstantDescs.CD_boolean).ifeq(proceed);
            }
        }

        private String lock() {
            return edge.hook().equals("Read") ? "readLock" : "writeLock";
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof InvokeInstruction invoke && invoke.opcode() == Opcode.INVOKESTATIC && redirect(code, invoke)) {
                return;
            }
            if (edge != null && element instanceof ReturnInstruction) {
                afterReturn(code);
            }
            code.with(element);
        }

        private boolean redirect(CodeBuilder code, InvokeInstruction invoke) {
            String callee = owner.redirect(invoke.method());
            if (callee == null) {
                return false;
            }
            String method = invoke.name().stringValue();
            owner.found.add(call(owner.name, callee, method));
            code.invokestatic(HOOKS, method, invoke.typeSymbol());
            return true;
        }

        private void afterReturn(CodeBuilder code) {
            switch (edge.kind()) {
                case TRANSFER, TRANSFER_OR_FAIL -> after(code, 1);
                case FILE_TRANSFER -> after(code, 4);
                case AFTER -> code.aload(0).getfield(owner.self, "fd", FILE_DESCRIPTOR).invokestatic(HOOKS,
                        "after" + edge.hook(), MethodTypeDesc.of(ConstantDescs.CD_void, FILE_DESCRIPTOR));
                case BEFORE, QUICK_CHANNEL, QUICK_STREAM, SET_OPTION, GET_OPTION -> {
                }
            }
        }

        private void after(CodeBuilder code, int descriptorSlot) {
            ClassDesc result = edge.descriptor().endsWith("J") ? ConstantDescs.CD_long : ConstantDescs.CD_int;
            code.aload(descriptorSlot).invokestatic(HOOKS, "after" + edge.hook(),
                    MethodTypeDesc.of(result, result, FILE_DESCRIPTOR));
        }

        @Override
        public void atEnd(CodeBuilder code) {
            if (edge != null && edge.kind() == Seams.Kind.TRANSFER_OR_FAIL) {
                Label bodyEnd = code.newBoundLabel();
                Label handler = code.newBoundLabel();
                code.aload(1).invokestatic(HOOKS, "failedRead", MethodTypeDesc.of(ConstantDescs.CD_void, FILE_DESCRIPTOR))
                        .athrow().exceptionCatchAll(bodyStart, bodyEnd, handler);
            }
        }
    }
}
