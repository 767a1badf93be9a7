package org.smc4j.it.faults;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Attacks on one {@link Stage}, which stays for all of them and has to be as at its start after each. */
@Tag("faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AttackedStage {
    private final String name;
    Stage stage;

    AttackedStage(String name) {
        this.name = name;
    }

    @BeforeAll
    void open() throws Exception {
        stage = new Stage(name);
    }

    @AfterAll
    void close() throws Exception {
        try (Stage last = stage) {
            last.scene.stop();
        }
    }

    @AfterEach
    void recovered() throws Exception {
        stage.assertRecovered();
    }
}
