/**
 * What a process tells about its sockets, link groups and devices: records and the text in which they travel to the command line. Whoever asks
 * may have another version of the agent, so unknown counters are skipped and text that does not fit is refused, never
 * guessed at. No knowledge of connections, transports or output formats.
 */
package org.smc4j.status;
