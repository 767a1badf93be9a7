/**
 * The socket layer: what the JDK's socket code asks, through the hooks that the agent weaves into it, about a connection that
 * has left TCP or may do so. The JDK's classes keep everything that is Java API (locks, state, exceptions, blocking modes,
 * key sets); this package stands where they would make a system call.
 *
 * <p>That is the deviation from the first design, which had its own channel, selector and SocketImpl classes: weaving at the
 * system calls keeps the behaviour of every JDK class by construction, also those nobody thought of (JFR events, adaptors,
 * inherited channels, asynchronous channels, class checks in libraries), costs a connection that stays TCP two array loads per
 * call, and needs no copy of several thousand lines of semantics.
 */
package org.smc4j.nio;
