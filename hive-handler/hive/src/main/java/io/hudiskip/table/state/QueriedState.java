// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.listing.IncrementalListing;
import io.hudiskip.table.listing.ListedPartitions;
import io.hudiskip.table.listing.SelectedCommits;
import io.hudiskip.table.listing.SnapshotListing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * Which state of a table a query reads, and how the table is listed for it: a committed state,
 * latest or past, with or without rows in logs; or the state at the end of a range of commits,
 * limited to rows whose {@code _hoodie_commit_time} belongs to a commit of the range.
 */
public final class QueriedState {
  /**
   * The table property by which Hudi's hive sync marks tables named {@code *_ro}: logs of a
   * merge-on-read table are ignored.
   */
  public static final String READ_OPTIMIZED = "hoodie.query.as.ro.table";

  /** The last commit to read; null for all. */
  @Nullable private final String instant;

  private final boolean isReadOptimized;

  /** The commits of an incremental query; null for a snapshot. */
  @Nullable private final SelectedCommits range;

  private QueriedState(
      @Nullable String instant, boolean isReadOptimized, @Nullable SelectedCommits range) {
    this.instant = instant;
    this.isReadOptimized = isReadOptimized;
    this.range = range;
  }

  /**
   * Whether a table is one whose logs are ignored. On MapReduce, a job has one set of properties
   * per path, whatever tables it reads there.
   *
   * @throws InvalidSettingException if it is, and the session runs queries on MapReduce
   */
  public static boolean isReadOptimized(Configuration session, TableDesc table) {
    boolean isReadOptimized =
        Boolean.parseBoolean(table.getProperties().getProperty(READ_OPTIMIZED));
    if (isReadOptimized
        && "mr".equals(HiveConf.getVar(session, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE))) {
      throw new InvalidSettingException(
          String.format(
              "%s has %s=true, but a MapReduce job cannot distinguish tables over the same files:"
                  + " SET hive.execution.engine=tez",
              table.getTableName(), READ_OPTIMIZED));
    }
    return isReadOptimized;
  }

  /**
   * The state that a statement and its session request.
   *
   * @throws UnreadableTableException naming the setting that cannot be satisfied
   */
  public static QueriedState of(Configuration job, HudiTable table, Optional<AsOf> asOf)
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
      return new QueriedState(
          past.isPresent() ? past.get().instant(table.metaClient()) : null, isReadOptimized, null);
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
    return new QueriedState(null, false, settings.isWholeTable() ? null : range(table, settings));
  }

  private static SelectedCommits range(HudiTable table, QuerySettings settings)
      throws UnreadableTableException {
    SelectedCommits commits = CommitSelector.select(table.metaClient(), settings);
    if (!table.metaClient().getTableConfig().populateMetaFields()) {
      throw new UnreadableTableException(
          String.format(
              "%s was written with %s=false: its rows do not record their commits, so it"
                  + " cannot be read incrementally",
              table.name(), HoodieTableConfig.POPULATE_META_FIELDS.key()));
    }
    return commits;
  }

  /** Whether this is the latest committed state, including rows in logs. */
  public boolean isLatestSnapshot() {
    return range == null && instant == null && !isReadOptimized;
  }

  public ReadCommits state(HudiTable table) {
    if (range != null) {
      return ReadCommits.ofCommits(range.until(), range.requestedTimes());
    }
    return ReadCommits.until(
        instant == null
            ? SnapshotListing.timeline(table.metaClient())
                .lastInstant()
                .map(last -> last.requestedTime())
                .orElse("")
            : instant);
  }

  /**
   * Lists a table in this state, as of when it was opened.
   *
   * @param partitions those that are listed
   * @throws UnreadableTableException when Hive cannot represent the table's columns
   */
  public List<FileSlice> slices(HudiTable table, ListedPartitions partitions)
      throws IOException, UnreadableTableException {
    if (range == null) {
      return table.slices(instant, isReadOptimized, partitions);
    }
    table.columns(); // refuses what a listing of a snapshot would refuse
    return new IncrementalListing(table.metaClient(), table.lastCommits(), range, partitions)
        .slices();
  }
}
