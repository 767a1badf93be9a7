package org.smc4j.sysctl;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The values of all settings. A system property wins over an agent argument, that over an environment variable, that
 * over the configuration file, and that over the default. A value that is not valid leaves the setting at its default
 * and adds a warning; so does anything that looks like a setting and is none. Loading never throws.
 *
 * <p>Safe for use by any thread. Reading a value costs one volatile read and allocates nothing.
 */
public final class Sysctl {
    private final List<String> warnings;
    private volatile Values values;

    private Sysctl(Values values, List<String> warnings) {
        this.values = values;
        this.warnings = Collections.unmodifiableList(warnings);
    }

    /**
     * Reads the settings of this process.
     *
     * @param agentArguments what follows {@code -javaagent:agent.jar=}, see {@link AgentArguments}; null if nothing
     *                       does
     */
    public static Sysctl load(String agentArguments) {
        return of(agentArguments, System.getProperties(), System.getenv(), null);
    }

    /**
     * Reads the settings from the given sources instead of the process's.
     *
     * @param agentArguments as for {@link #load}
     * @param fileContent    used as the content of the configuration file; null to read the file that
     *                       {@code smc.configuration_file} names, if it names one
     */
    public static Sysctl of(String agentArguments, Properties properties, Map<String, String> environment,
            String fileContent) {
        final Loader loader = new Loader();
        loader.addProperties(properties);
        AgentArguments.parse(agentArguments, loader);
        loader.addEnvironment(environment);
        final String path = loader.configurationFile();
        if (fileContent != null) {
            ConfigurationFile.parse(path.isEmpty() ? "smc.conf" : path, fileContent, loader);
        } else if (!path.isEmpty()) {
            ConfigurationFile.read(path, loader);
        }
        return new Sysctl(loader.values(), loader.warnings());
    }

    /** The value of a {@link Kind#FLAG}. */
    public boolean flag(Tunable tunable) {
        assert tunable.kind() == Kind.FLAG : tunable;
        return values.numbers[tunable.ordinal()] != 0;
    }

    /** The value of a number, in the unit of its kind: bytes, microseconds, milliseconds or a plain count. */
    public long number(Tunable tunable) {
        assert tunable.kind().isNumber() : tunable;
        return values.numbers[tunable.ordinal()];
    }

    /** The value of any setting as text: flags as true or false, numbers in decimal without suffix. Never null. */
    public String text(Tunable tunable) {
        return values.texts[tunable.ordinal()];
    }

    /** The value of a setting of kind {@link Kind#RULES}. */
    public AddressRules rules(Tunable tunable) {
        assert tunable.kind() == Kind.RULES : tunable;
        return values.rules[tunable.ordinal()];
    }

    /**
     * Whether the setting has its default because what was given is no value for it. For settings that restrict something, whose
     * default is not what the user meant.
     */
    public boolean isRejected(Tunable tunable) {
        return values.rejected[tunable.ordinal()];
    }

    /** The value of a setting that is a numeric address: 4 or 16 bytes in network order, or null if it is empty. */
    public byte[] address(Tunable tunable) {
        final NumericAddress address = NumericAddress.parse(text(tunable));
        return address == null ? null : address.bytes();
    }

    /**
     * Changes a setting for the connections that begin from now on.
     *
     * @throws IllegalArgumentException if the setting cannot change at run time or the text is no value for it; the
     *                                  message says which and is fit for users
     */
    public synchronized void set(Tunable tunable, String value) {
        if (!tunable.changesAtRunTime()) {
            throw new IllegalArgumentException(tunable.key() + " cannot change at run time");
        }
        if (value == null) {
            throw new IllegalArgumentException(tunable.key() + ": no value given");
        }
        final Values changed = values.copy();
        try {
            changed.put(tunable, value.trim(), Source.RUN_TIME);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(tunable.key() + ": " + e.getMessage(), e);
        }
        values = changed;
    }

    /** What was wrong with the settings when they were loaded, one line each, nothing twice; unmodifiable. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * What gave a setting its value: {@code property}, {@code argument}, {@code environment}, {@code file},
     * {@code default}, or {@code run time} after {@link #set}. A setting whose value was not valid has its default.
     */
    public String source(Tunable tunable) {
        return values.sources[tunable.ordinal()].label();
    }
}
