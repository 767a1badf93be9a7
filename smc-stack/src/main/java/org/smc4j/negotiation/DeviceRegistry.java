package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.smc4j.roce.RoceDevice;
import org.smc4j.time.Scheduler;

/**
 * The RNICs and ISM devices of this host, with the state of their ports from the moment on at which a device is known
 * (spec/40-buffers-linkgroups.md §11). All methods are called on the scheduler.
 */
public final class DeviceRegistry {
    private final Scheduler scheduler;
    private final PnetTable pnetIds;
    private final Listener listener;
    private final Map<String, Rnic> rnics = new LinkedHashMap<>();
    private final Map<String, LocalIsm> ismDevices = new LinkedHashMap<>();

    /** Told on the scheduler, after the registry has taken notice. */
    public interface Listener {
        /** A port has been found active, or has become so: link groups of its PNETID may gain a link. */
        void portActive(LocalPort port);

        /** The links on a port are lost; the port itself may be active again at once. */
        void portLost(String device, int number);

        /** Links whose GID the port does not have any more are lost. */
        void gidsChanged(LocalPort port);

        void rnicRemoved(String device);

        void ismRemoved(LocalIsm device);
    }

    private static final class Rnic {
        final RoceDevice device;
        final RoceDevice.Port[] ports;

        Rnic(RoceDevice device) {
            this.device = device;
            ports = new RoceDevice.Port[device.portCount()];
        }
    }

    public DeviceRegistry(Scheduler scheduler, PnetTable pnetIds, Listener listener) {
        this.scheduler = scheduler;
        this.pnetIds = pnetIds;
        this.listener = listener;
    }

    /** @throws IllegalArgumentException if there is one of that name */
    public void add(RoceDevice device) {
        Rnic rnic = new Rnic(device);
        if (rnics.putIfAbsent(device.name(), rnic) != null) {
            throw new IllegalArgumentException("two RNICs of the name " + device.name());
        }
        // First listen, then look: what changes in between is looked at again, in a turn of its own.
        device.listen(event -> scheduler.execute(() -> changed(rnic, event)));
        for (int number = 1; number <= rnic.ports.length; number++) {
            look(rnic, number);
        }
    }

    /** Its links are lost. Does nothing if it is not there. */
    public void removeRnic(String device) {
        if (rnics.remove(device) != null) {
            listener.rnicRemoved(device);
        }
    }

    /** @throws IllegalArgumentException if there is one of that name */
    public void add(LocalIsm device) {
        if (ismDevices.putIfAbsent(device.name(), device) != null) {
            throw new IllegalArgumentException("two ISM devices of the name " + device.name());
        }
    }

    /** Its link groups end. Does nothing if it is not there. */
    public void removeIsm(String device) {
        LocalIsm removed = ismDevices.remove(device);
        if (removed != null) {
            listener.ismRemoved(removed);
        }
    }

    /** All ports, in the order in which their RNICs were added, with the PNETIDs that they have now. */
    public List<LocalPort> ports() {
        List<LocalPort> ports = new ArrayList<>();
        for (Rnic rnic : rnics.values()) {
            for (RoceDevice.Port port : rnic.ports) {
                ports.add(local(rnic, port));
            }
        }
        return ports;
    }

    /** All ISM devices, in the order in which they were added, with the PNETIDs that they have now. */
    public List<LocalIsm> ismDevices() {
        List<LocalIsm> devices = new ArrayList<>();
        for (LocalIsm device : ismDevices.values()) {
            devices.add(device.in(pnetIds.ofIsm(device.name())));
        }
        return devices;
    }

    private LocalPort local(Rnic rnic, RoceDevice.Port port) {
        return new LocalPort(rnic.device.name(), port, pnetIds.ofPort(rnic.device.name(), port.number()));
    }

    private void changed(Rnic rnic, RoceDevice.Event event) {
        if (rnics.get(rnic.device.name()) != rnic) {
            return;
        }
        switch (event.kind()) {
            case PORT_ACTIVE -> look(rnic, event.port());
            case PORT_ERROR, QUEUE_PAIR_FATAL, QUEUE_PAIR_ACCESS_ERROR -> {
                lose(rnic, event.port());
                // With a fatal queue pair the port itself may be well.
                look(rnic, event.port());
            }
            case DEVICE_FATAL -> {
                // Whatever the device still says of its ports.
                for (int number = 1; number <= rnic.ports.length; number++) {
                    lose(rnic, number);
                }
            }
            case GID_CHANGE -> {
                RoceDevice.Port known = rnic.ports[event.port() - 1];
                RoceDevice.Port now = rnic.device.port(event.port());
                rnic.ports[event.port() - 1] = known.active() ? now : inactive(now);
                listener.gidsChanged(local(rnic, rnic.ports[event.port() - 1]));
            }
        }
    }

    private void look(Rnic rnic, int number) {
        RoceDevice.Port port = rnic.device.port(number);
        rnic.ports[number - 1] = port;
        if (port.active()) {
            listener.portActive(local(rnic, port));
        }
    }

    private void lose(Rnic rnic, int number) {
        rnic.ports[number - 1] = inactive(rnic.ports[number - 1]);
        listener.portLost(rnic.device.name(), number);
    }

    private static RoceDevice.Port inactive(RoceDevice.Port port) {
        return new RoceDevice.Port(port.number(), false, port.mtuCode(), port.mac(), port.gids());
    }
}
