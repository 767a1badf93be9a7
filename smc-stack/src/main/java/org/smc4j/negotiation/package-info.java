/**
 * Which kind of SMC a connection gets, if any (spec/10-clc.md §8 to §11): what this host is able to do, what a client proposes,
 * what a server chooses of it, what both check of the other's answer, and the course of a CLC handshake with its waits and its
 * reasons for TCP.
 *
 * <p>Decisions are pure functions of records. A handshake ({@link org.smc4j.negotiation.ClientHandshake},
 * {@link org.smc4j.negotiation.ServerHandshake}) belongs to one {@link org.smc4j.time.Scheduler} and never blocks: link groups,
 * buffers and LLC are behind {@link org.smc4j.negotiation.HandshakeResources}, the way to the peer is behind
 * {@link org.smc4j.negotiation.Carrier}. Nothing here does I/O, except {@link org.smc4j.negotiation.HostNetwork}, which reads
 * what the operating system says of its interfaces and routes.
 */
package org.smc4j.negotiation;
