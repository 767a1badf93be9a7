/**
 * The settings of the agent. {@link org.smc4j.sysctl.Tunable} declares each one once; names, environment variables,
 * parsing, ranges, the table in the README and what a management interface shows all come from that declaration.
 * {@link org.smc4j.sysctl.Sysctl} holds the values. Settings that the Linux kernel has too keep the kernel's name,
 * default and range under {@code net.smc.}; what only this product has is called {@code smc.*}.
 *
 * <p>Every package may read settings. Loading runs before the application's {@code main}, so nothing here may throw
 * because of what a user wrote, resolve a name, start a thread, or pull in the JDK's costly machinery on the way to a
 * good value: no lambdas, regular expressions, streams, formatters, and no {@code +} between strings outside the paths
 * that end in a warning (javac compiles it to an {@code invokedynamic}). Nothing here prints: the warnings are handed
 * to the caller.
 */
package org.smc4j.sysctl;
