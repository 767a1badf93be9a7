package org.smc4j.llc;

/**
 * TEST LINK: whether the peer still answers (spec/20-llc.md §4, §11).
 *
 * @param version  1 or 2
 * @param dataHigh bytes 0 to 7 of the user data, which the response repeats; Linux sends zeros
 * @param dataLow  bytes 8 to 15
 */
public record TestLink(int version, boolean response, long dataHigh, long dataLow) implements LlcMessage {
    public TestLink {
        LlcMessage.checkVersion(version);
    }

    /** A request as Linux sends it. */
    public static TestLink request(int version) {
        return new TestLink(version, false, 0, 0);
    }

    @Override
    public LlcType type() {
        return LlcType.TEST_LINK;
    }

    /** The response to this request. */
    public TestLink answer() {
        return new TestLink(version, true, dataHigh, dataLow);
    }
}
