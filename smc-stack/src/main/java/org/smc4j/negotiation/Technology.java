package org.smc4j.negotiation;

/** What a connection can be besides TCP, in the order in which a server tries them (spec/10-clc.md §9). */
public enum Technology {
    SMCD_V2,
    SMCD_V1,
    SMCR_V2,
    SMCR_V1
}
