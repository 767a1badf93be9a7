package org.smc4j.linkgroup;

import org.smc4j.llc.LlcMessage;

/**
 * A link is to be added or deleted: the peer says so, or on the server our side, whose deletions take the same way.
 *
 * @param link    over which the peer sent it, or over which our side would like to speak of it
 * @param message DELETE LINK or, on the client, ADD LINK
 */
record LinkRequest(Link link, LlcMessage message) {
}
