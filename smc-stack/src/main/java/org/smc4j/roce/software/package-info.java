/**
 * RNICs in software. One protocol engine ({@code SoftwareQueuePair}, {@code SendQueue}, {@code Responder}, {@code Region},
 * {@code SoftwareCompletionQueue}) keeps the contract of {@link org.smc4j.roce}; two devices put a {@code Wire}
 * under it: those of a {@link org.smc4j.roce.software.SimulatedFabric} in one process, in the time of a scheduler, and
 * {@link org.smc4j.roce.software.SocketRnic} between processes, hosts and network namespaces, over TCP.
 *
 * <p>Nothing here knows SMC: bytes, keys and queues only. What arrives from a peer is checked before it has an effect, and never
 * written outside memory that was registered for it.
 *
 * <p>Locks, in the order in which they are taken: a queue pair's send lock (send queue and what is sent), its receive lock
 * (receive queue and what arrives), then that of a completion queue. No callback runs under any of them.
 */
package org.smc4j.roce.software;
