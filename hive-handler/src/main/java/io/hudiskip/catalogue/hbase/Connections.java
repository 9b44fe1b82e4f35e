/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

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
 * The connections of this JVM: one for each quorum, made when it is first asked for, as the user
 * that the process runs as. Other settings of HBase are those of {@code hbase-site.xml} on the
 * class path.
 */
final class Connections {
  private static final Map<String, CompletableFuture<AsyncConnection>> OPEN =
      new ConcurrentHashMap<>();

  /** How long ZooKeeper's answer is waited for by those who do not wait any more. */
  private static final int ZOOKEEPER_MILLIS = 10_000;

  private Connections() {}

  /** The connection to a quorum, which may still be under way; one that failed is not kept. */
  static CompletableFuture<AsyncConnection> to(Configuration conf, String quorum) {
    CompletableFuture<AsyncConnection> connection =
        OPEN.computeIfAbsent(quorum, first -> open(conf, first));
    if (connection.isCompletedExceptionally()) {
      OPEN.remove(quorum, connection);
    }
    return connection;
  }

  private static CompletableFuture<AsyncConnection> open(Configuration conf, String quorum) {
    try {
      return ConnectionFactory.createAsyncConnection(
          settings(conf, quorum), User.create(UserGroupInformation.getLoginUser()));
    } catch (IOException e) {
      CompletableFuture<AsyncConnection> failed = new CompletableFuture<>();
      failed.completeExceptionally(e);
      return failed;
    }
  }

  /** HBase's settings on top of Hadoop's. */
  static Configuration settings(Configuration conf, String quorum) {
    Configuration settings = HBaseConfiguration.create(conf);
    settings.set(HConstants.ZOOKEEPER_QUORUM, quorum);
    settings.setInt(HConstants.ZK_SESSION_TIMEOUT, ZOOKEEPER_MILLIS);
    settings.setInt("zookeeper.recovery.retry", 1);
    return settings;
  }
}
