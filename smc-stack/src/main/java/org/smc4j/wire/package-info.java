/**
 * What the codecs of all SMC messages share: reading and writing of fields in network order, the checks of records, and the kind
 * of exception for bytes that are not a message. Knows no message; does no I/O and holds no state beyond one message.
 */
package org.smc4j.wire;
