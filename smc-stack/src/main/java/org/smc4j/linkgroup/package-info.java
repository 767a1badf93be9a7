/**
 * Link groups, links and the LLC flows between them (spec/20-llc.md, spec/40-buffers-linkgroups.md): which group and which link a
 * connection gets, its buffers and the rkeys that both ends know of them, links that come and go, connections that move from a
 * link that is lost to another, and the life of all of these. {@link org.smc4j.linkgroup.LinkGroups} is where a handshake begins.
 *
 * <p>All of it is control plane and belongs to one {@link org.smc4j.time.Scheduler}: every method is called in one of its turns,
 * and nothing here blocks or starts a thread. What other threads want, they bring with {@code scheduler.execute}. Nothing here
 * touches the bytes of a connection, its cursors or its CDC messages, and devices are seen through
 * {@link org.smc4j.linkgroup.LinkPorts} and {@link org.smc4j.linkgroup.LinkTransport} only.
 */
package org.smc4j.linkgroup;
