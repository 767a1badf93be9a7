/**
 * The MXBean {@code org.smc4j:type=Smc}. Clients see open types only, so they need no class of ours. Nothing here is
 * loaded before somebody asks for the platform's MBean server, except the small {@link org.smc4j.agent.jmx.Management};
 * nothing here changes sockets.
 */
package org.smc4j.agent.jmx;
