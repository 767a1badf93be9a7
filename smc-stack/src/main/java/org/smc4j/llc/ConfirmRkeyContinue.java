package org.smc4j.llc;

/** CONFIRM RKEY CONTINUE of version 1: known so that it can be ignored, as the kernel does (spec/20-llc.md §3). */
public record ConfirmRkeyContinue(boolean response) implements LlcMessage {
    @Override
    public LlcType type() {
        return LlcType.CONFIRM_RKEY_CONTINUE;
    }

    @Override
    public int version() {
        return VERSION_1;
    }
}
