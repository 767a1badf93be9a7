package org.smc4j.bench.plain;

/** The shortest program: what the agent adds to it is the agent's start-up. */
public final class Hello {
    private Hello() {
    }

    public static void main(String[] args) {
        System.out.println("hello");
    }
}
