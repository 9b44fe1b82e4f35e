// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.mode;

import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.FileSlice;

/** Which state of a table a query reads, and how the table is listed for it. */
public abstract class QueryMode {
  /**
   * The table property by which Hudi's hive sync marks tables named {@code *_ro}: logs of a
   * merge-on-read table are ignored.
   */
  public static final String READ_OPTIMIZED = "hoodie.query.as.ro.table";

  /**
   * The mode that a statement and its session request.
   *
   * @throws UnreadableTableException naming the setting that cannot be satisfied
   */
  public static QueryMode of(Configuration job, HudiTable table, Optional<AsOf> asOf)
      throws UnreadableTableException {
    QuerySettings settings = new QuerySettings(job, table);
    boolean isReadOptimized = Boolean.parseBoolean(job.get(READ_OPTIMIZED, "").trim());
    boolean isIncremental = settings.isIncremental();
    Optional<AsOf> past =
        settings.commit().isEmpty() ? asOf : Optional.of(AsOf.commit(settings.commit()));
    if (asOf.isPresent() && !asOf.equals(past)) {
      throw new UnreadableTableException(
          String.format(
              "the statement requests one state of %s, but the session requests another with"
                  + " hoodie.%s.consume.commit: remove one of them",
              table.name(), table.name()));
    }
    if (!isIncremental) {
      return new SnapshotMode(
          past.isPresent() ? past.get().instant(table.metaClient()) : null, isReadOptimized);
    }
    if (past.isPresent()) {
      throw new UnreadableTableException(
          "a query of " + table.name() + " can be incremental or read a past state, but not both");
    }
    if (isReadOptimized) {
      throw new UnreadableTableException(
          "this Hive table reads base files only, but incremental queries also read logs: query a"
              + " Hive table without "
              + READ_OPTIMIZED
              + "=true");
    }
    // All commits together are the snapshot, even if some are archived.
    return settings.isWholeTable()
        ? new SnapshotMode(null, false)
        : IncrementalMode.of(table, settings);
  }

  QueryMode() {}

  /** Whether this is the latest committed state, including rows in logs. */
  public boolean isLatestSnapshot() {
    return false;
  }

  public abstract ReadState state(HudiTable table);

  /**
   * Lists a table in this mode, as of when it was opened.
   *
   * @throws UnreadableTableException when Hive cannot represent the table's columns
   */
  public abstract List<FileSlice> slices(HudiTable table)
      throws IOException, UnreadableTableException;
}
