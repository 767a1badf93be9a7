/**
 * The Linux system calls that the stack needs. One method is one call; no policy, no SMC. A result below zero is the negated
 * errno of the call, as the kernel itself returns it (see {@link org.smc4j.ffi.linux.Errno}); nothing here throws for it.
 *
 * <p>All calls go through the one C function {@code syscall}, so a process that starts pays for linking two method handles
 * instead of thirty (about 2 ms each on a cold JVM), and no header version of the C library matters.
 */
package org.smc4j.ffi.linux;
