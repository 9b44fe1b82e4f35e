// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The connections of this JVM, one per quorum, opened on first use as the process's user. Other
 * HBase settings come from {@code hbase-site.xml} on the class path.
 */
final class Connections {
  private static final Map<String, CompletableFuture<AsyncConnection>> OPEN =
      new ConcurrentHashMap<>();

  /** How long abandoned callers keep waiting for ZooKeeper. */
  private static final int ZOOKEEPER_MILLIS = 10_000;

  private Connections() {}

  /** The connection to a quorum, possibly still opening; failed ones are dropped. */
  static CompletableFuture<AsyncConnection> to(String quorum) {
    CompletableFuture<AsyncConnection> connection = OPEN.computeIfAbsent(quorum, Connections::open);
    if (connection.isCompletedExceptionally()) {
      OPEN.remove(quorum, connection);
    }
    return connection;
  }

  private static CompletableFuture<AsyncConnection> open(String quorum) {
    try {
      return ConnectionFactory.createAsyncConnection(
          settings(quorum), User.create(UserGroupInformation.getLoginUser()));
    } catch (IOException e) {
      CompletableFuture<AsyncConnection> failed = new CompletableFuture<>();
      failed.completeExceptionally(e);
      return failed;
    }
  }

  /** Nothing from a job: its configuration has properties of tables, and connections are shared. */
  static Configuration settings(String quorum) {
    Configuration settings = HBaseConfiguration.create();
    settings.set(HConstants.ZOOKEEPER_QUORUM, quorum);
    settings.setInt(HConstants.ZK_SESSION_TIMEOUT, ZOOKEEPER_MILLIS);
    settings.setInt("zookeeper.recovery.retry", 1);
    return settings;
  }
}
