package org.smc4j.sysctl;

/** Where a value came from, the strongest first. */
enum Source {
    RUN_TIME("run time"),
    PROPERTY("property"),
    ARGUMENT("argument"),
    ENVIRONMENT("environment"),
    FILE("file"),
    DEFAULT("default");

    private final String label;

    Source(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
