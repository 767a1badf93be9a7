/**
 * Time and turns for the control plane of SMC-R. What runs on a {@link org.smc4j.time.Scheduler} runs alone, so the state of link
 * groups, LLC flows and negotiations needs no lock; tests put a scheduler with virtual time under the same code.
 */
package org.smc4j.time;
