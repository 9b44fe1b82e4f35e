/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.hive.listing.SliceListing;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Which state of a table a query reads, and so how the table is listed for it. */
public abstract class QueryMode {
  /**
   * Whether the logs of a merge-on-read table are left out: the table property by which Hudi's hive
   * sync marks the tables whose names end in {@code _ro}.
   */
  public static final String READ_OPTIMIZED = "hoodie.query.as.ro.table";

  /** The latest committed state. */
  public static QueryMode snapshot() {
    return new SnapshotMode(null, false);
  }

  /**
   * The mode that a statement and its session ask for.
   *
   * @param job Hudi's settings of the session and the table
   * @param asOf the past state that the statement asks for
   * @throws UnreadableTableException naming the setting that asks for what cannot be read
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
          "the statement asks for one state of "
              + table.name()
              + " and the session, by hoodie."
              + table.name()
              + ".consume.commit, for another: take one of them back");
    }
    if (!isIncremental) {
      return past.isPresent() || isReadOptimized
          ? new SnapshotMode(
              past.isPresent() ? past.get().instant(table.metaClient()) : null, isReadOptimized)
          : snapshot();
    }
    if (past.isPresent()) {
      throw new UnreadableTableException(
          "a query of " + table.name() + " is either incremental or of a past state, not both");
    }
    if (isReadOptimized) {
      throw new UnreadableTableException(
          "incremental queries read the logs as well: query a table that is registered without "
              + READ_OPTIMIZED
              + "=true");
    }
    // The rows of all commits are those of the snapshot, whatever was archived.
    return settings.isWholeTable() ? snapshot() : IncrementalMode.of(table, settings);
  }

  QueryMode() {}

  /** Whether it is the latest committed state, rows of logs included. */
  public boolean isLatestSnapshot() {
    return false;
  }

  /** Which records of the listed slices are read. */
  public abstract ReadState state(HudiTable table);

  /** How a table is listed in this mode, as of the moment when it was opened. */
  public abstract SliceListing listing(HudiTable table);
}
