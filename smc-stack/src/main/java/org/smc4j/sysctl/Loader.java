package org.smc4j.sysctl;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Collects the text of the settings from their sources, which must be added strongest first, and then parses the
 * winners. Text that a stronger source overrides is not looked at, so it cannot cause a warning about its value.
 */
final class Loader {
    private final String[] texts = new String[Tunable.count()];
    private final String[] origins = new String[Tunable.count()];
    private final Source[] sources = new Source[Tunable.count()];
    private final List<String> warnings = new ArrayList<>();

    void addProperties(Properties properties) {
        for (int i = 0; i < texts.length; i++) {
            final String key = Tunable.at(i).key();
            final String value = properties.getProperty(key);
            if (value != null) {
                offer(Source.PROPERTY, "property ".concat(key), key, value);
            }
        }
        try {
            // The enumeration of Properties itself is weakly consistent: other threads may change them meanwhile.
            for (final Enumeration<?> keys = properties.keys(); keys.hasMoreElements(); ) {
                if (keys.nextElement() instanceof String key && (key.startsWith("smc.") || key.startsWith("net.smc."))
                        && Tunable.named(key) == null) {
                    warnUnknown("property " + key);
                }
            }
        } catch (RuntimeException e) {
            // System.setProperties takes any subclass, and one whose enumeration fails costs no more than this check.
            warn("the system properties could not be checked for unknown settings: " + e);
        }
    }

    void addEnvironment(Map<String, String> environment) {
        for (final Map.Entry<String, String> variable : environment.entrySet()) {
            final String name = variable.getKey();
            if (!name.startsWith("SMC_") && !name.startsWith("NET_SMC_")) {
                continue;
            }
            final Tunable tunable = Tunable.withEnvironmentVariable(name);
            if (tunable != null) {
                offer(Source.ENVIRONMENT, "environment variable ".concat(name), tunable.key(), variable.getValue());
            } else if (!belongsToOthers(name)) {
                warnUnknown("environment variable " + name);
            }
        }
    }

    /**
     * Takes a setting from a source. Within one source the last value wins.
     *
     * @param origin what a warning about this value begins with
     */
    void offer(Source source, String origin, String key, String value) {
        final Tunable tunable = Tunable.named(key);
        if (tunable == null) {
            warnUnknown(origin);
            return;
        }
        if (tunable == Tunable.CONFIGURATION_FILE && source == Source.FILE) {
            warn(origin + ": has no effect in the file itself, ignored");
            return;
        }
        final int index = tunable.ordinal();
        if (sources[index] == null || sources[index] == source) {
            texts[index] = value.trim();
            origins[index] = origin;
            sources[index] = source;
        }
    }

    void warn(String warning) {
        if (!warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    /** The path of the configuration file that the sources added so far name, or "" if they name none. */
    String configurationFile() {
        final String path = texts[Tunable.CONFIGURATION_FILE.ordinal()];
        return path == null ? "" : path;
    }

    /** The values of all settings; adds a warning for each one that is not valid. */
    Values values() {
        final Values values = new Values();
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) {
                continue;
            }
            final Tunable tunable = Tunable.at(i);
            try {
                values.put(tunable, texts[i], sources[i]);
            } catch (IllegalArgumentException e) {
                values.rejected[i] = true;
                warn(origins[i] + ": " + e.getMessage() + "; using the default "
                        + (tunable.defaultText().isEmpty() ? "(empty)" : tunable.defaultText()));
            }
        }
        return values;
    }

    List<String> warnings() {
        return warnings;
    }

    private void warnUnknown(String origin) {
        warn(origin + ": unknown setting, ignored");
    }

    /** The variables of the kernel's smc_run and of this product's own scripts and test suites. */
    private static boolean belongsToOthers(String name) {
        return name.equals("SMC_DEBUG") || name.equals("SMC_RCVBUF") || name.equals("SMC_SNDBUF")
                || name.equals("SMC_JDK") || name.equals("SMC_JAVA") || name.startsWith("SMC_SUITES_");
    }
}
