package org.smc4j.clc;

import org.smc4j.wire.FieldReader;

/** Takes fields off the front of a CLC message. */
final class ClcReader extends FieldReader<ClcException> {
    ClcReader(byte[] bytes, int offset, int length) {
        super(bytes, offset, length);
    }

    @Override
    protected ClcException refusal(String field, String expected, String found) {
        return new ClcException(field, expected, found);
    }

    Gid gid(String field) throws ClcException {
        return new Gid(i64(field), i64(field));
    }

    SystemId systemId() throws ClcException {
        return new SystemId(i64("system id"));
    }

    Mac mac() throws ClcException {
        return new Mac(u48("port MAC"));
    }

    Eid eid(String field) throws ClcException {
        return new Eid(latin1(PaddedText.SIZE, field));
    }

    Hostname hostname() throws ClcException {
        return new Hostname(latin1(PaddedText.SIZE, "hostname"));
    }
}
