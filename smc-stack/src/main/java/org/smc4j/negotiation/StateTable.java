package org.smc4j.negotiation;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The whole of a state machine: what it does on an event in a state, and the state that follows, which it has before it does it.
 *
 * @param <S> states
 * @param <E> events
 * @param <M> the machine that acts
 */
final class StateTable<S extends Enum<S>, E extends Enum<E>, M> {
    private final Map<S, Map<E, Row<S, M>>> rows;
    private final Class<E> events;

    record Row<S, M>(S next, Consumer<M> action) {
    }

    StateTable(Class<S> states, Class<E> events) {
        this.rows = new EnumMap<>(states);
        this.events = events;
    }

    StateTable<S, E, M> on(S state, E event, S next, Consumer<M> action) {
        Row<S, M> before = rows.computeIfAbsent(state, s -> new EnumMap<>(events)).put(event, new Row<>(next, action));
        if (before != null) {
            throw new IllegalStateException("two rows for " + event + " in " + state);
        }
        return this;
    }

    /** Null if the event cannot come in that state. */
    Row<S, M> row(S state, E event) {
        Map<E, Row<S, M>> row = rows.get(state);
        return row == null ? null : row.get(event);
    }
}
