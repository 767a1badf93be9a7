package org.smc4j.it.transparency;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.smc4j.it.transparency.Scenario.Role;

/**
 * How the two ends of a run are started.
 *
 * @param name          for reports
 * @param agentAtServer whether the listening end has the agent
 * @param agentAtClient whether the connecting end has the agent
 * @param place         where the ends are
 * @param options       more JVM options for both ends
 */
record Configuration(String name, boolean agentAtServer, boolean agentAtClient, Place place, List<String> options) {
    private static final String RNIC = "-Dsmc.rnic=";

    enum Place { TWO_JVMS, ONE_JVM, TWO_HOSTS }


    static Configuration plain() {
        return new Configuration("plain", false, false, Place.TWO_JVMS, List.of());
    }

    static Configuration agents(final boolean server, final boolean client) {
        final String name = (client ? "agent client" : "plain client") + ", "
                + (server ? "agent server" : "plain server");
        return new Configuration(name, server, client, Place.TWO_JVMS, List.of());
    }

    Configuration inOneJvm() {
        return new Configuration(name + ", one JVM", agentAtServer, agentAtClient, Place.ONE_JVM, options);
    }

    /** On two hosts that reach each other by software RNICs. */
    Configuration onTwoHostsWithRnics() {
        return onTwoHosts().with("SMC-R", "-Dsmc.sideband.port=18990", RNIC + "eth0");
    }

    Configuration onTwoHosts() {
        return new Configuration(name + ", two hosts", agentAtServer, agentAtClient, Place.TWO_HOSTS, options);
    }

    boolean oneJvm() {
        return place == Place.ONE_JVM;
    }

    /** More options; a later one overrides an earlier one. */
    Configuration with(final String title, final String... more) {
        final List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new Configuration(name + ", " + title, agentAtServer, agentAtClient, place, List.copyOf(all));
    }

    /** The same ends without any agent: what the run is compared with. */
    Configuration reference() {
        return new Configuration("reference of " + name, false, false, place,
                options.stream().filter(option -> !option.startsWith("-Dsmc.")).toList());
    }

    boolean agentAt(final Role role) {
        return role == Role.SERVER ? agentAtServer : agentAtClient;
    }

    boolean anyAgent() {
        return agentAtServer || agentAtClient;
    }

    /** Whether connections between the ends must be on SMC; between hosts without RNICs there is nothing but TCP. */
    boolean switches() {
        return agentAtServer && agentAtClient && (place != Place.TWO_HOSTS || hasRnics());
    }

    private boolean hasRnics() {
        return options.stream().anyMatch(option -> option.startsWith(RNIC));
    }

    /** The counter of the connections that are on SMC. */
    String mode() {
        return hasRnics() ? "smcr" : "smcd";
    }

    /** Whether no byte should travel on TCP, given agents on both ends. */
    boolean switchesBeforeTheFirstByte() {
        return options.stream().noneMatch(option -> option.startsWith("-Dsmc.switch_after_bytes="));
    }

    /** The command line options of one end's JVM; its counters go to the file at exit. */
    List<String> jvmOptions(final Role role, final Path summary) {
        final List<String> all = new ArrayList<>();
        if (agentAt(role)) {
            all.add("-javaagent:" + agentJar());
            // Every connection switches before its first byte, so that nothing is tested on TCP by accident.
            all.add("-Dsmc.switch_after_bytes=0");
            if (switches()) {
                // Else there is nothing to wait for.
                all.add("-Dsmc.switch_wait_ms=2000");
            }
            all.add("-Dsmc.summary=" + summary);
        }
        all.addAll(options);
        return all;
    }

    /** The jar that is tested, named by {@code smc.agent.jar} or where the build puts it. */
    static Path agentJar() {
        return Path.of(System.getProperty("smc.agent.jar", "../agent/target/smc-agent.jar")).toAbsolutePath()
                .normalize();
    }

    static boolean agentJarExists() {
        return Files.isRegularFile(agentJar());
    }
}
