/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;

/** The query mode that this handler answers: the state of a table, not the changes to it. */
final class SnapshotMode {
  private SnapshotMode() {}

  /**
   * Refuses a scan in incremental mode: given the root of a partitioned table, Hudi would answer
   * with no rows and no error.
   *
   * @throws UnreadableTableException naming the setting
   */
  static void require(JobConf job, HudiTable table) throws UnreadableTableException, IOException {
    List<String> incremental = HoodieHiveUtils.getIncrementalTableNames(Job.getInstance(job));
    String qualified = table.database() + "." + table.name();
    for (String name : incremental) {
      if (name.equals(table.name()) || name.equals(qualified)) {
        String setting = String.format(HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN, name);
        throw new UnreadableTableException(
            "incremental queries are not supported on this table ("
                + setting
                + "=INCREMENTAL). Set it to SNAPSHOT, and compare _hoodie_commit_time with the"
                + " instant to start from");
      }
    }
  }
}
