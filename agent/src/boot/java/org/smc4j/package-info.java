/** What applications may compile against; everything else of the agent is out of their sight. */
package org.smc4j;
