/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;

/**
 * The query mode that this handler answers: the latest committed state of a table. Hudi's own
 * listing takes another one from settings of the session, in silence; given the root of a
 * partitioned table and the incremental mode, it answers with no rows and no error.
 */
public final class SnapshotMode {
  private static final List<String> SETTINGS_OF_HUDI =
      Collections.unmodifiableList(
          Arrays.asList(
              HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN,
              HoodieHiveUtils.HOODIE_CONSUME_COMMIT,
              HoodieHiveUtils.HOODIE_CONSUME_PENDING_COMMITS,
              HoodieHiveUtils.HOODIE_START_COMMIT_PATTERN,
              HoodieHiveUtils.HOODIE_MAX_COMMIT_PATTERN,
              HoodieHiveUtils.HOODIE_STOP_AT_COMPACTION_PATTERN));

  private SnapshotMode() {}

  /**
   * Refuses a scan that is asked for another state of a table than the latest committed one. A
   * blank value asks for nothing: that is how a session takes a setting back.
   *
   * @throws UnreadableTableException naming the setting
   */
  public static void require(Configuration job, HudiTable table) throws UnreadableTableException {
    for (String name : names(table)) {
      refuse(
          job,
          String.format(HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN, name),
          HoodieHiveUtils.SNAPSHOT_SCAN_MODE,
          "incremental queries are not supported on this table",
          ", and compare `_hoodie_commit_time` with the instant to start from");
      refuse(
          job,
          String.format(HoodieHiveUtils.HOODIE_CONSUME_COMMIT, name),
          "",
          "time travel is not supported on this table",
          "");
      refuse(
          job,
          String.format(HoodieHiveUtils.HOODIE_CONSUME_PENDING_COMMITS, name),
          "false",
          "uncommitted rows of this table cannot be read",
          "");
    }
  }

  /** A copy of the configuration in which Hudi finds no setting that asks for a state. */
  static JobConf latest(JobConf job, HudiTable table) {
    JobConf latest = new JobConf(job);
    for (String name : names(table)) {
      for (String setting : SETTINGS_OF_HUDI) {
        latest.unset(String.format(setting, name));
      }
    }
    return latest;
  }

  private static void refuse(
      Configuration job, String setting, String allowed, String refusal, String alternative)
      throws UnreadableTableException {
    String value = job.get(setting, "").trim();
    if (!value.isEmpty() && !value.equalsIgnoreCase(allowed)) {
      throw new UnreadableTableException(
          refusal
              + " ("
              + setting
              + "="
              + value
              + "). SET "
              + setting
              + "="
              + allowed
              + alternative);
    }
  }

  /** The names of a table in Hudi's settings: alone, and after its database. */
  private static List<String> names(HudiTable table) {
    return table.database().isEmpty()
        ? Collections.singletonList(table.name())
        : Arrays.asList(table.name(), table.database() + "." + table.name());
  }
}
