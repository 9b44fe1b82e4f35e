/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;

/** Which state of a table a query reads, and so how the table is listed for it. */
public enum QueryMode {
  /** The latest committed state. */
  SNAPSHOT {
    @Override
    public SliceListing listing(HudiTable table) {
      return new SnapshotListing(table.metaClient());
    }
  };

  /**
   * The mode that a job asks for by Hudi's settings of the session. A blank value asks for nothing:
   * that is how a session takes a setting back.
   *
   * @throws UnreadableTableException naming the setting that asks for another state than the latest
   *     committed one
   */
  public static QueryMode of(Configuration job, HudiTable table) throws UnreadableTableException {
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
    return SNAPSHOT;
  }

  /** How a table is listed in this mode, as of the moment when it was opened. */
  public abstract SliceListing listing(HudiTable table);

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
