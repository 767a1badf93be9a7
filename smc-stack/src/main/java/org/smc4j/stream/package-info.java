/**
 * The byte stream of one switched connection: two DMBs, one per direction, with the CDC header of {@code spec/30-cdc.md} §2 in
 * front and a device page and an overflow area behind. Called by the socket layer above and by the sideband that sets it up; calls nothing above
 * itself. It knows neither TCP nor the Java socket API, and it never trusts what the peer wrote: every cursor is checked once,
 * into a local, where it is read.
 */
package org.smc4j.stream;
