package org.smc4j.it.transparency;

/** No agent anywhere: proves the scenarios themselves. */
final class PlainTransparencyTest extends TransparencyRun {
    PlainTransparencyTest() {
        super(Configuration.plain(), EVERYTHING);
    }
}
