/**
 * The CDC messages (spec/30-cdc.md): the cursors and flags of one connection, as SMC-R sends them and as SMC-D writes them into the
 * peer's DMB. Records with one codec, {@link org.smc4j.cdc.CdcCodec}, for all but the hot path, which reads and writes the same bytes
 * in place with {@link org.smc4j.cdc.CdcFlyweight}; and the arithmetic of cursors and sequence numbers. Pure functions: nothing here
 * does I/O or holds the state of a connection, and what a cursor says is only believed by whoever knows the connection.
 *
 * <p>Reserved fields and unknown flags are ignored when read and written as zero.
 */
package org.smc4j.cdc;
