/**
 * The words of the diagnosis: modes, states and reasons, with the numbers of the kernel and the names of smc-tools, so
 * that whoever knows those tools can read ours. Any package may use it. It loads when the JVM starts, inside socket
 * calls of the application: no lambdas, streams, formatting or logging here, and no knowledge of connections.
 */
package org.smc4j.diag;
