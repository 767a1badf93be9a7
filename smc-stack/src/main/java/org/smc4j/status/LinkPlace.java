package org.smc4j.status;

/**
 * Where a connection of SMC-R is: it may be elsewhere the next moment.
 *
 * @param linkGroup id of the link group
 * @param link      number of the link in the group
 * @param device    RNIC; empty if the connection has no link
 * @param port      of the RNIC: 1 or 2
 */
public record LinkPlace(int linkGroup, int link, String device, int port) {
    /** Of a connection that is not SMC-R. */
    public static final LinkPlace NONE = new LinkPlace(0, 0, "", 0);
}
