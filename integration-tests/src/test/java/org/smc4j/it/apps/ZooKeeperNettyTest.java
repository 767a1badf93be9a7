package org.smc4j.it.apps;

import java.nio.file.Path;
import java.util.List;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.TwoHosts.Host;

/** The same ensemble with its client port and its client on Netty 4.1, which brings its native transport along. */
class ZooKeeperNettyTest extends ZooKeeperTest {
    @Override
    JavaProcess.Builder java(Run run, String name, Host host, List<Path> classPath) {
        return super.java(run, name, host, classPath).options(
                "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty");
    }
}
