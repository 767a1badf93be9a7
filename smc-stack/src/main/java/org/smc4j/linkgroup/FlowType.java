package org.smc4j.linkgroup;

/** What a sequence of LLC messages is about; no flow is the kernel's type NONE (spec/20-llc.md §10). */
enum FlowType {
    ADD_LINK,
    DELETE_LINK,
    REQUEST_ADD_LINK,
    RKEY
}
