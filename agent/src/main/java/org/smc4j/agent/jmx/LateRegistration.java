package org.smc4j.agent.jmx;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;

/** For a JVM whose platform beans were in use before the agent came. */
final class LateRegistration {
    private LateRegistration() {
    }

    static void register(SmcSockets sockets) throws JMException {
        try {
            StandardMBean bean = new StandardMBean(new Smc(sockets), SmcMXBean.class, true);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, new ObjectName(PlatformService.NAME));
        } catch (InstanceAlreadyExistsException e) {
            Log.warn("no MXBean: there is one already: " + e.getMessage());
        }
    }
}
