package org.smc4j.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.nio.SmcSockets;
import org.smc4j.status.DeviceStatus;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;
import org.smc4j.status.SocketStatus;
import org.smc4j.status.StreamCounts;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;

/** The bean: a view of the sockets, without state of its own. */
record Smc(SmcSockets sockets) implements SmcMXBean {
    @Override
    public long getTotalConnections() {
        return sockets.counters().totalConnections();
    }

    @Override
    public long getClientConnections() {
        return sockets.counters().clientConnections();
    }

    @Override
    public long getServerConnections() {
        return sockets.counters().serverConnections();
    }

    @Override
    public long getSmcdConnections() {
        return sockets.counters().smcd().connections();
    }

    @Override
    public long getSmcrConnections() {
        return sockets.counters().smcr().connections();
    }

    @Override
    public long getTcpConnections() {
        return sockets.counters().tcpConnections();
    }

    @Override
    public long getOpenConnections() {
        return sockets.counters().openConnections();
    }

    @Override
    public long getTxBytes() {
        return sockets.counters().traffic().txBytes();
    }

    @Override
    public long getRxBytes() {
        return sockets.counters().traffic().rxBytes();
    }

    @Override
    public StreamCounts getSmcdTraffic() {
        return sockets.counters().smcd().traffic();
    }

    @Override
    public StreamCounts getSmcrTraffic() {
        return sockets.counters().smcr().traffic();
    }

    @Override
    public List<LinkGroupStatus> getLinkGroups() {
        return sockets.linkGroups().groups();
    }

    @Override
    public List<LinkStatus> getLinks() {
        return sockets.linkGroups().links();
    }

    @Override
    public List<DeviceStatus> getDevices() {
        return sockets.linkGroups().devices();
    }

    @Override
    public List<FallbackReason> getFallbackReasons() {
        List<FallbackReason> reasons = new ArrayList<>();
        for (Map.Entry<Integer, Long> entry : sockets.counters().fallbacks().entrySet()) {
            ReasonCode known = ReasonCode.of(entry.getKey());
            reasons.add(new FallbackReason(ReasonCode.hex(entry.getKey()), known == null ? "" : known.words(),
                    entry.getValue()));
        }
        return reasons;
    }

    @Override
    public List<SocketRow> getSockets() {
        List<SocketRow> rows = new ArrayList<>();
        for (SocketStatus socket : sockets.status()) {
            rows.add(new SocketRow(socket.state().smcssName(), socket.role().name(), socket.local(), socket.peer(),
                    socket.mode() == null ? "" : socket.mode().name(),
                    socket.reasonCode() == 0 ? "" : ReasonCode.describe(socket.reasonCode()), socket.smcSent(),
                    socket.smcReceived(), socket.tcpSent(), socket.tcpReceived(), socket.linkGroup(), socket.link(),
                    socket.device(), socket.port()));
        }
        return rows;
    }

    @Override
    public List<TunableRow> getTunables() {
        Sysctl sysctl = sockets.sysctl();
        List<TunableRow> rows = new ArrayList<>();
        for (Tunable tunable : Tunable.values()) {
            rows.add(new TunableRow(tunable.key(), sysctl.text(tunable), sysctl.source(tunable), tunable.defaultText(),
                    tunable.changesAtRunTime(), tunable.doc()));
        }
        return rows;
    }

    @Override
    public void setTunable(String name, String value) {
        Tunable tunable = Tunable.named(name);
        if (tunable == null) {
            throw new IllegalArgumentException("no setting has the name '" + name + "'");
        }
        sockets.sysctl().set(tunable, value);
        if (tunable == Tunable.LOG) {
            Log.level(sockets.sysctl().text(Tunable.LOG));
        }
    }

    @Override
    public String summary() {
        return sockets.summary();
    }
}
