/**
 * The messages of the CLC handshake (spec page 10) as immutable records, and the one codec that turns them into bytes
 * and back: {@link org.smc4j.clc.ClcCodec}; and the TCP options that come before them. Pure functions: nothing here
 * does I/O, holds state, picks devices or decides what to answer. Bytes of a peer are never trusted: they become a
 * valid message or a {@link org.smc4j.clc.ClcException}, options or a {@link org.smc4j.clc.TcpOptionsException}.
 *
 * <p>Reserved and vendor fields are ignored when read and written as zero. Proposals are accepted in the order of areas
 * that the specification gives and no other, although the kernel would follow offsets that make areas overlap.
 */
package org.smc4j.clc;
