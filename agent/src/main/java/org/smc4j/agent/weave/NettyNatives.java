package org.smc4j.agent.weave;

import org.smc4j.diag.Log;

/**
 * Makes Netty use NIO: its native transports make system calls that nobody here sees. Netty's own switch is a property that
 * the class which is being loaded right now reads in its initializer; in a relocated copy the property has another name, which
 * is therefore taken from the class itself.
 */
public final class NettyNatives {
    private static final String SWITCH = "io.netty.transport.noNative";

    private NettyNatives() {
    }

    /** Sets the switch unless the user has set it. */
    public static void disable(String className, byte[] bytes) {
        ConstantPool pool = new ConstantPool(bytes);
        for (int i = 1; i < pool.size(); i++) {
            String property = pool.string(i);
            if (property != null && property.endsWith(SWITCH) && System.getProperty(property) == null) {
                System.setProperty(property, "true");
                Log.debug("native transport of " + className.replace('/', '.') + " is off: " + property);
            }
        }
    }
}
