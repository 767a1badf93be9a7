package org.smc4j.linkgroup;

/**
 * Which end of a link group of SMC-R this is; the order is that of the kernel's numbers. Two hosts that connect to each other
 * have two groups.
 */
public enum Role {
    CLIENT,
    SERVER
}
