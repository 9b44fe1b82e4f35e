// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.wire;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;

/**
 * The zone in which a statement's timestamps are shown. That is the zone of the JVM that reads a
 * file ({@code ParquetTimestampUtils.getTimestamp}); the session's zone does not matter.
 */
final class ReadersZone {
  private static final String LOCAL_MODE = "tez.local.mode";

  /** What Tez reads besides Hive's settings; a running server does not read it again. */
  private static final Configuration SITE = site();

  private ReadersZone() {}

  private static Configuration site() {
    Configuration site = new Configuration(false);
    site.addResource("tez-site.xml");
    return site;
  }

  /**
   * Whether every JVM that may read rows for a statement has UTC. It is known of this one only: a
   * container's zone is its machine's.
   */
  static boolean isUtc(Configuration statement) {
    return isUtc(ZoneId.systemDefault()) && isReadHere(statement, SITE);
  }

  static boolean isUtc(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    return rules.isFixedOffset() && rules.getOffset(Instant.EPOCH).equals(ZoneOffset.UTC);
  }

  /**
   * Whether tasks are threads of this JVM. A session's own setting says nothing, because Tez may
   * have been started before.
   */
  static boolean isReadHere(Configuration statement, Configuration site) {
    return site.getBoolean(LOCAL_MODE, false)
        && statement.get(LOCAL_MODE) == null
        && HiveConf.getVar(statement, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE).equals("tez")
        && HiveConf.getVar(statement, HiveConf.ConfVars.HIVE_EXECUTION_MODE).equals("container");
  }
}
