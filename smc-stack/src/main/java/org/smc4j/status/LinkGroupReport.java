package org.smc4j.status;

import java.util.ArrayList;
import java.util.List;

/** The link groups of a process at one moment, their links, and the devices that they can use. */
public record LinkGroupReport(List<LinkGroupStatus> groups, List<LinkStatus> links, List<DeviceStatus> devices) {
    private static final String GROUP = "group\t";
    private static final String LINK = "link\t";
    private static final String DEVICE = "device\t";

    /** Of a process that has nothing to do with SMC (yet). */
    public static final LinkGroupReport NONE = new LinkGroupReport(List.of(), List.of(), List.of());

    public LinkGroupReport {
        groups = List.copyOf(groups);
        links = List.copyOf(links);
        devices = List.copyOf(devices);
    }

    /** Both together, this one first. */
    public LinkGroupReport and(LinkGroupReport other) {
        return new LinkGroupReport(concat(groups, other.groups), concat(links, other.links), concat(devices, other.devices));
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** A line for each: its kind, a tab, and its fields. */
    public List<String> encode() {
        List<String> lines = new ArrayList<>();
        groups.forEach(group -> lines.add(GROUP + RecordLine.encode(group)));
        links.forEach(link -> lines.add(LINK + RecordLine.encode(link)));
        devices.forEach(device -> lines.add(DEVICE + RecordLine.encode(device)));
        return lines;
    }

    /** @throws IllegalArgumentException if a line does not fit its kind; other kinds are skipped */
    public static LinkGroupReport decode(List<String> lines) {
        List<LinkGroupStatus> groups = new ArrayList<>();
        List<LinkStatus> links = new ArrayList<>();
        List<DeviceStatus> devices = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(GROUP)) {
                groups.add(RecordLine.decode(LinkGroupStatus.class, line.substring(GROUP.length())));
            } else if (line.startsWith(LINK)) {
                links.add(RecordLine.decode(LinkStatus.class, line.substring(LINK.length())));
            } else if (line.startsWith(DEVICE)) {
                devices.add(RecordLine.decode(DeviceStatus.class, line.substring(DEVICE.length())));
            }
        }
        return new LinkGroupReport(groups, links, devices);
    }
}
