package org.smc4j.sysctl;

/**
 * One value for each {@link Tunable}, indexed by its ordinal. Written by one thread before it is published, never
 * after: readers need no more than the volatile read that gave them the object.
 */
final class Values {
    final long[] numbers;
    final String[] texts;
    final AddressRules[] rules;
    final Source[] sources;
    final boolean[] rejected;

    /** All settings at their defaults. */
    Values() {
        numbers = new long[Tunable.count()];
        texts = new String[Tunable.count()];
        rules = new AddressRules[Tunable.count()];
        sources = new Source[Tunable.count()];
        rejected = new boolean[Tunable.count()];
        for (int i = 0; i < texts.length; i++) {
            final Tunable tunable = Tunable.at(i);
            put(tunable, tunable.defaultText(), Source.DEFAULT);
        }
    }

    private Values(Values other) {
        numbers = other.numbers.clone();
        texts = other.texts.clone();
        rules = other.rules.clone();
        sources = other.sources.clone();
        rejected = other.rejected.clone();
    }

    Values copy() {
        return new Values(this);
    }

    /**
     * Parses and stores a value.
     *
     * @throws IllegalArgumentException if the text is no value of the tunable; nothing has changed then
     */
    void put(Tunable tunable, String value, Source source) {
        final int index = tunable.ordinal();
        final Kind kind = tunable.kind();
        if (kind == Kind.FLAG) {
            final boolean flag = ValueSyntax.flag(value);
            numbers[index] = flag ? 1 : 0;
            texts[index] = flag ? "true" : "false";
        } else if (kind.isNumber()) {
            final long number = ValueSyntax.number(tunable, value);
            numbers[index] = number;
            texts[index] = Long.toString(number);
        } else if (kind == Kind.TEXT) {
            texts[index] = ValueSyntax.text(tunable, value);
        } else {
            rules[index] = AddressRules.parse(value);
            texts[index] = value;
        }
        sources[index] = source;
        rejected[index] = false;
    }
}
