package org.smc4j.agent;

import java.lang.reflect.InvocationTargetException;

/** {@code java -jar smc-agent.jar}: the command line of the agent. */
public final class SmcMain {
    private SmcMain() {
    }

    public static void main(String[] arguments) throws Throwable {
        int status;
        try {
            status = (Integer) new AgentLoader().loadClass("org.smc4j.agent.cli.Main").getMethod("run", String[].class)
                    .invoke(null, (Object) arguments);
        } catch (UnsupportedClassVersionError e) {
            System.err.println("smc4j: Java 25 or later is needed, this is "
                    + System.getProperty("java.specification.version"));
            status = 1;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        System.exit(status);
    }
}
