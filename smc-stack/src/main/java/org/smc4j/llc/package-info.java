/**
 * The LLC messages of SMC-R (spec/20-llc.md) as immutable records, and the one codec that turns them into bytes and back: {@link
 * org.smc4j.llc.LlcCodec}. Pure functions: nothing here does I/O, holds state, or decides what to answer; the flows are those of
 * the link groups. Bytes of a peer are never trusted: they become a valid message or a {@link org.smc4j.llc.LlcException}.
 *
 * <p>Reserved fields and unknown flags are ignored when read and written as zero.
 */
package org.smc4j.llc;
