package org.smc4j.linkgroup;

/** How a receive buffer of the peer is reached on one link: its rkey and the address of its first byte. */
public record Rtoken(int rkey, long address) {
}
