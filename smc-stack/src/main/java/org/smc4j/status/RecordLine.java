package org.smc4j.status;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/** A record as one line: its components in their order, separated by tabs. Numbers are decimal, null is {@code -}. */
final class RecordLine {
    private static final String NULL = "-";

    private RecordLine() {
    }

    static String encode(Record line) {
        StringBuilder text = new StringBuilder();
        for (RecordComponent component : line.getClass().getRecordComponents()) {
            text.append(text.isEmpty() ? "" : "\t").append(text(value(line, component)));
        }
        return text.toString();
    }

    private static Object value(Record line, RecordComponent component) {
        try {
            return component.getAccessor().invoke(line);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Names of interfaces and ids of peers may hold anything. */
    private static String text(Object value) {
        return switch (value) {
            case null -> NULL;
            case Enum<?> constant -> constant.name();
            default -> value.toString().replaceAll("\\p{Cntrl}", "?");
        };
    }

    /** @throws IllegalArgumentException if the line is not one of {@link #encode} for this type */
    static <R extends Record> R decode(Class<R> type, String line) {
        RecordComponent[] components = type.getRecordComponents();
        String[] fields = line.split("\t", -1);
        if (fields.length != components.length) {
            throw new IllegalArgumentException("not the line of a " + type.getSimpleName() + ": '" + line + "'");
        }
        Class<?>[] types = new Class<?>[fields.length];
        Object[] values = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(types[i], fields[i]);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object value(Class<?> type, String field) {
        if (type == int.class) {
            return Integer.parseInt(field);
        }
        if (type == long.class) {
            return Long.parseLong(field);
        }
        if (type == boolean.class) {
            if (!field.equals("true") && !field.equals("false")) {
                throw new IllegalArgumentException("neither true nor false: '" + field + "'");
            }
            return field.equals("true");
        }
        if (field.equals(NULL) && type != String.class) {
            return null;
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(field)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("no " + type.getSimpleName() + ": '" + field + "'");
        }
        return field;
    }
}
