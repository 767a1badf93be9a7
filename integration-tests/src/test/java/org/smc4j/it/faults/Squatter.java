package org.smc4j.it.faults;

/** {@code NAME}: holds an abstract name until it is ended. */
final class Squatter {
    private Squatter() {
    }

    public static void main(String[] args) throws Exception {
        Sideline.listen(args[0]);
        System.out.println("holding");
        Thread.sleep(Long.MAX_VALUE);
    }
}
