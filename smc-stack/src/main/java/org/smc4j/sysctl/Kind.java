package org.smc4j.sysctl;

/** What the text of a setting means. */
public enum Kind {
    /** {@code true}, {@code on}, {@code yes}, {@code 1} or {@code false}, {@code off}, {@code no}, {@code 0}. */
    FLAG(""),
    /** A whole number. */
    COUNT(""),
    /** A whole number of bytes; a suffix {@code k}, {@code m} or {@code g} multiplies by 1024, 1024² or 1024³. */
    BYTES(" bytes"),
    /** A whole number of microseconds. */
    MICROS(" µs"),
    /** A whole number of milliseconds. */
    MILLIS(" ms"),
    /** A whole number of seconds. */
    SECONDS(" s"),
    /** Text; some settings restrict it further. */
    TEXT(""),
    /** The rules of {@link AddressRules}. */
    RULES("");

    private final String unit;

    Kind(String unit) {
        this.unit = unit;
    }

    String unit() {
        return unit;
    }

    boolean isNumber() {
        return this == COUNT || this == BYTES || this == MICROS || this == MILLIS || this == SECONDS;
    }
}
