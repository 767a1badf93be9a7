/**
 * The data path of SMC-R: connections and the queue pairs that they share (spec/30-cdc.md §4 to §10, spec/50-sockets.md §1 and §2,
 * spec/40-buffers-linkgroups.md §10). The link group gives a connection its buffers and its link, moves it to another one and ends it;
 * the socket layer sends, receives, waits and closes. Nothing here calls the socket layer, knows the Java socket API, or chooses links.
 *
 * <p>Nothing blocks but the methods that say so, and nothing is believed of the peer: what it sends is checked once, where it is received,
 * and a violation ends that connection only.
 */
package org.smc4j.connection;
