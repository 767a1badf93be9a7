package org.smc4j.negotiation;

import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.Eid;

/** What a connection is to be: of the server one candidate that it tries, of the client what the server has accepted. */
public sealed interface Choice permits SmcdChoice, SmcrChoice {
    /** 1 or 2. */
    int version();

    /** The one in common; null in version 1. */
    Eid eid();

    Terms terms();

    /** The same with other terms. */
    Choice with(Terms terms);

    default boolean isV2() {
        return version() > ClcMessage.VERSION_1;
    }
}
