/**
 * Bindings of the system calls that the stack needs, through the Foreign Function and Memory API. No policy: a method here
 * is one call of the C library, its errors are errno values, and nothing here knows what SMC is.
 */
package org.smc4j.ffi;
