/**
 * Time and turns for the control plane of SMC-R. What runs on a {@link org.smc4j.time.Scheduler} runs alone, so the state of link
 * groups, LLC flows and negotiations needs no lock: {@link org.smc4j.time.SchedulerThread} in a product, or
 * {@link org.smc4j.time.EventLoop} where descriptors are served as well, and {@link org.smc4j.time.VirtualTime} in simulations
 * and tests. Tasks must not block.
 */
package org.smc4j.time;
