package org.smc4j.llc;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.wire.FieldReader;

/** Takes fields off the front of an LLC message. */
final class LlcReader extends FieldReader<LlcException> {
    LlcReader(byte[] bytes, int offset, int length) {
        super(bytes, offset, length);
    }

    @Override
    protected LlcException refusal(String field, String expected, String found) {
        return new LlcException(field, expected, found);
    }

    Mac mac() throws LlcException {
        return new Mac(u48("MAC"));
    }

    Gid gid(String field) throws LlcException {
        return new Gid(i64(field), i64(field));
    }
}
