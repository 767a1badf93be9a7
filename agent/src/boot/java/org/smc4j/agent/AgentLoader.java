package org.smc4j.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Loads the agent's classes from {@code inst/*.classdata} inside the agent's jar, a name that no scanner of the application
 * takes for a class. Its parent is the platform loader, so nothing of the application can get in between.
 */
final class AgentLoader extends ClassLoader {
    private static final String ROOT = "inst/";
    private static final int BUFFER = 16384;

    AgentLoader() {
        super("smc4j", ClassLoader.getSystemClassLoader().getParent());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("org.smc4j.agent.SmcAgent")) {
            // The two sides talk through these.
            return ClassLoader.getSystemClassLoader().loadClass(name);
        }
        return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".classdata")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = readAll(in);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        return ClassLoader.getSystemClassLoader().getResourceAsStream(ROOT + name);
    }

    private static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(BUFFER);
        byte[] buffer = new byte[BUFFER];
        int n;
        while ((n = in.read(buffer)) > 0) {
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }
}
