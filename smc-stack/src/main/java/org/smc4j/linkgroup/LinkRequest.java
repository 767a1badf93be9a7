package org.smc4j.linkgroup;

import org.smc4j.llc.LlcMessage;

/**
 * Somebody wants a link to be added or deleted: the peer, or our side, whose wishes take the same way.
 *
 * @param type    ADD_LINK or DELETE_LINK
 * @param link    over which the peer sent it, or over which our side would like to speak of it
 * @param message null if our side would like to have another link
 */
record LinkRequest(FlowType type, Link link, LlcMessage message) {
}
