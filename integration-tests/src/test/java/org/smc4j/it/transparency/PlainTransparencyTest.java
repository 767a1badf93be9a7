package org.smc4j.it.transparency;

import org.junit.jupiter.api.Tag;

/** No agent anywhere: proves the scenarios themselves. */
@Tag("long")
final class PlainTransparencyTest extends TransparencyRun {
    PlainTransparencyTest() {
        super(Configuration.plain(), EVERYTHING);
    }
}
