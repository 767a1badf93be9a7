package org.smc4j.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads the agent's classes from {@code inst/*.classdata} inside the agent's jar, a name that no scanner of the application
 * takes for a class. Its parent is the platform loader, so nothing of the application can get in between.
 */
final class AgentLoader extends ClassLoader {
    private static final String ROOT = "inst/";

    // Our own view of the jar, held open: a process that is out of descriptors still finds its classes, and the way through
    // URLs takes a good part of the time that the agent needs to start.
    private final ZipFile jar;

    AgentLoader() throws IOException {
        super("smc4j", ClassLoader.getSystemClassLoader().getParent());
        try {
            URL location = AgentLoader.class.getProtectionDomain().getCodeSource().getLocation();
            jar = new ZipFile(new File(location.toURI()));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
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
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** What the agent carries; nothing of the application. */
    @Override
    public InputStream getResourceAsStream(String name) {
        ZipEntry entry = jar.getEntry(ROOT + name);
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            return null;
        }
    }
}
