package org.smc4j.llc;

/**
 * How a receive buffer that is known on one link is reached over a new one (ADD LINK v2, ADD LINK CONTINUE).
 *
 * @param existingRkey the buffer's rkey on the link that carries the message, by which the reader finds it
 * @param newRkey      its rkey on the new link
 * @param newAddress   its address on the new link
 */
public record RkeyOnNewLink(int existingRkey, int newRkey, long newAddress) {
}
