/**
 * Whether users can see that it works: the command line, the MXBean, the settings, the summary, and how the agent steps
 * back or stays out of sight. Every test runs the agent's jar in JVMs of their own. Other JVMs of this user may have
 * the agent too, so the command line's tables are searched for the processes of the test, not compared as a whole.
 */
package org.smc4j.it.observe;
