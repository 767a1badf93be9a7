/**
 * The verbs contract of a RoCE NIC, as far as SMC-R uses it (spec/40-buffers-linkgroups.md §9 and §10), and the software devices
 * that keep it. What is above (link groups, LLC, data path) knows {@link org.smc4j.roce.RoceDevice} only; verbs of rdma-core
 * come under the same contract.
 *
 * <p>Calls that post work or poll completions may come from any thread; those on one queue pair, or one completion queue, are
 * serialized by their callers. Results below zero are negated errno values.
 */
package org.smc4j.roce;
