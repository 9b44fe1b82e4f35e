// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.hive.index.ColumnCache;
import io.hudiskip.hive.index.ColumnOfFiles;
import io.hudiskip.hive.index.IndexFactory;
import io.hudiskip.hive.mode.AsOf;
import io.hudiskip.hive.mode.QueryMode;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.StatisticsSource;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.hive.source.IndexCandidates;
import io.hudiskip.hive.source.SourceUnavailableException;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.kind.IndexKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsData;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statistics of a table's columns that Hive plans a statement with, from the records of the index
 * kind {@code ndv}. Immutable.
 *
 * <p>No answer depends on them: Hive answers from statistics, and drops conditions by them, only
 * where the table's parameters call a column's statistics accurate. Those of the {@link Table} that
 * Hive plans a scan with never do, whatever the metastore has ({@link #distrust}).
 */
public final class TableColumnStats {
  private static final Logger LOG = LoggerFactory.getLogger(TableColumnStats.class);

  public static final TableColumnStats NONE = new TableColumnStats(Collections.emptyMap());

  private static final ColumnCache<Optional<ColumnStatisticsData>> KNOWN = new ColumnCache<>(2_000);

  private final Map<FieldSchema, ColumnStatisticsData> columns;

  private TableColumnStats(Map<FieldSchema, ColumnStatisticsData> columns) {
    this.columns = columns;
  }

  /**
   * The statistics of those of a table's columns for which the index has a record about each file
   * of the latest state; none if the statement reads another state. Never throws.
   */
  public static TableColumnStats of(Configuration session, Table table) {
    distrust(session, table);
    SkippingConf settings = SkippingConf.of(session, table.getParameters());
    if (settings.columnStatistics() != Switch.ON
        || settings.mode() == SkippingMode.OFF
        || settings.index() == StatisticsSource.METADATA_TABLE
        || !AsOf.isCurrent(table)) {
      return NONE;
    }
    try {
      return read(session, table);
    } catch (IndexUnavailableException | SourceUnavailableException | UnreadableTableException e) {
      LOG.info("No column statistics of {}: {}", table.getFullyQualifiedName(), e.getMessage());
    } catch (Throwable e) { // a statement can be planned without
      LOG.warn("Cannot read column statistics of {}", table.getFullyQualifiedName(), e);
    }
    return NONE;
  }

  /**
   * Removes every column from what a table's parameters call accurate, if it may be planned with
   * our statistics. Hive takes those of the scan that is planned first for all scans of the table
   * in a statement, whatever state each reads, but each scan has metadata of its own: so this is
   * called for each.
   */
  public static void distrust(Configuration session, Table table) {
    if (SkippingConf.of(session, table.getParameters()).columnStatistics() == Switch.ON) {
      // In place: Hive puts the numbers of rows and bytes into the same map.
      StatsSetupConst.clearColumnStatsState(table.getParameters());
    }
  }

  private static TableColumnStats read(Configuration session, Table table)
      throws IndexUnavailableException,
          SourceUnavailableException,
          UnreadableTableException,
          IOException {
    Configuration job = new Configuration(session);
    job.set(
        QueryMode.READ_OPTIMIZED,
        table.getParameters().getOrDefault(QueryMode.READ_OPTIMIZED, "false"));
    Path root = table.getDataLocation();
    StatisticsIndex index = // opened first: the index must not be newer than the table
        IndexFactory.open(root.getFileSystem(job), root);
    HudiTable opened = HudiTable.open(job, root.toString());
    Optional<LiveFiles> live = index.liveFiles();
    if (!live.isPresent()
        || !QueryMode.of(job, opened, Optional.empty()).isLatestSnapshot()
        || !IndexCandidates.of(opened, live.get()).areAllFiles()) {
      LOG.info("No column statistics of {}: the index has not seen the state that is read", root);
      return NONE;
    }
    Map<FieldSchema, ColumnStatisticsData> columns = new HashMap<>();
    for (FieldSchema column : table.getCols()) {
      Optional<HiveType> type = HiveType.parse(column.getType()).filter(ColumnSummary::covers);
      String name = column.getName().toLowerCase(Locale.ROOT);
      if (type.isPresent() && index.mayHold(IndexKind.NDV, name)) {
        summary(index, root, new ReadColumn(name, type.get()), live.get())
            .ifPresent(data -> columns.put(asHiveSeesIt(column, type.get()), data));
      }
    }
    return new TableColumnStats(columns);
  }

  private static FieldSchema asHiveSeesIt(FieldSchema column, HiveType type) {
    return new FieldSchema(column.getName(), ColumnSummary.typeForHive(type), null);
  }

  private static Optional<ColumnStatisticsData> summary(
      StatisticsIndex index, Path root, ReadColumn column, LiveFiles live)
      throws IndexUnavailableException {
    return KNOWN.get(
        root,
        index,
        column,
        () ->
            ColumnSummary.of(
                column, ColumnOfFiles.read(index, column, live.files(), IndexKind.NDV)));
  }

  public boolean isEmpty() {
    return columns.isEmpty();
  }

  /** All of them, in a list that the caller may change. */
  public List<ColumnStatisticsObj> all() {
    return those(column -> true);
  }

  /** Those of some columns, in any case, in a list that the caller may change. */
  public List<ColumnStatisticsObj> of(Collection<String> names) {
    return those(column -> names.stream().anyMatch(column::equalsIgnoreCase));
  }

  private List<ColumnStatisticsObj> those(Predicate<String> isWanted) {
    List<ColumnStatisticsObj> found = new ArrayList<>();
    columns.forEach(
        (column, data) -> {
          if (isWanted.test(column.getName())) {
            ColumnStatisticsData copy = new ColumnStatisticsData(data);
            found.add(new ColumnStatisticsObj(column.getName(), column.getType(), copy));
          }
        });
    return found;
  }
}
