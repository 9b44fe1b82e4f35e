// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.statistics.Supplemented;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexState;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.config.HoodieReaderConfig;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;

/**
 * Column statistics from Hudi's metadata table, read by Hudi and filtered by {@link
 * TrustedColumnStats}.
 *
 * <p>A record belongs to a partition and a file name, which no two base files share. Hudi returns
 * records of completed commits only, without deleted ones. It finds them by file, so nothing is
 * read before the listing, and a table with a metadata table is already listed from it.
 */
public final class MetadataTableIndex implements StatisticsIndex {
  private final HoodieTableMetaClient metaClient;

  private MetadataTableIndex(HoodieTableMetaClient metaClient) {
    this.metaClient = metaClient;
  }

  /** Why there is no {@link #open index} of a table, for display. */
  public static String missing(Path tableRoot) {
    return String.format(
        "the metadata table of %s has no column statistics; write with %s=true",
        tableRoot, HoodieMetadataConfig.ENABLE_METADATA_INDEX_COLUMN_STATS.key());
  }

  /**
   * The index of a table; empty if its metadata table has no column statistics.
   *
   * @throws IndexUnavailableException when the table cannot be opened
   */
  public static Optional<MetadataTableIndex> open(
      Path tableRoot, Callable<HoodieTableMetaClient> table) throws IndexUnavailableException {
    try {
      HoodieTableMetaClient metaClient = table.call();
      return metaClient
              .getTableConfig()
              .isMetadataPartitionAvailable(MetadataPartitionType.COLUMN_STATS)
          ? Optional.of(new MetadataTableIndex(metaClient))
          : Optional.empty();
    } catch (Exception | LinkageError e) { // declared by Callable
      throw unavailable(tableRoot.toString(), e);
    }
  }

  @Override
  public long generation() {
    try {
      return Long.parseLong(instant());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @Override
  public String instant() {
    return metaClient
        .getActiveTimeline()
        .filterCompletedInstants()
        .lastInstant()
        .map(instant -> instant.requestedTime())
        .orElse("");
  }

  @Override
  public IndexState state() {
    return IndexState.of(
        "Hudi's metadata table: integers, and dates from table version 9 on; for other types and"
            + " Bloom filters: hudi-skip index build "
            + TableArgument.of(new Path(metaClient.getBasePath().toUri())));
  }

  @Override
  public BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.evaluate(
        new Supplemented(statistics(expression.columns(), listing).table(), beside), terms);
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.explain(
        new Supplemented(statistics(expression.columns(), listing).table(), beside), terms);
  }

  /**
   * What is proved of a listing's files.
   *
   * @param columns lower-case names; nested fields are joined by dots
   * @throws IndexUnavailableException when the metadata table or the table's schema cannot be read
   */
  public ProvenStatistics statistics(Collection<String> columns, List<BaseFile> listing)
      throws IndexUnavailableException {
    Map<String, String> obstacles = new TreeMap<>();
    Map<String, String> recorded = recordedNames(columns, obstacles);
    Map<Pair<String, String>, Integer> positions = new HashMap<>();
    for (int i = 0; i < listing.size(); i++) {
      // Not those of logs: a writer may append to a log, and the records have no lengths. Nor those
      // of files that something other than Hudi has written, and perhaps also their statistics.
      String path = listing.get(i).relativePath();
      if (FSUtils.isBaseFile(new StoragePath(path))) {
        positions.put(key(path), i);
      }
    }
    if (recorded.isEmpty() || positions.isEmpty()) {
      // Opening the metadata table takes time.
      return new ProvenStatistics(StatisticsTable.ofNothing(listing.size()), obstacles);
    }
    Map<String, ColumnStatistics[]> proven = new HashMap<>();
    String root = metaClient.getBasePath().toString();
    StorageConfiguration<?> conf = metaClient.getStorageConf();
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            new HoodieLocalEngineContext(conf), metaClient.getStorage(), reading(true), root)) {
      for (Map.Entry<String, String> column : recorded.entrySet()) {
        ColumnStatistics[] ranges = new ColumnStatistics[listing.size()];
        Map<Pair<String, String>, HoodieMetadataColumnStats> records =
            metadata.getColumnStats(new ArrayList<>(positions.keySet()), column.getValue());
        records.forEach((file, stats) -> ranges[positions.get(file)] = trusted(stats));
        proven.put(column.getKey(), ranges);
        long known = Arrays.stream(ranges).filter(Objects::nonNull).count();
        if (known < positions.size()) {
          obstacles.put(
              column.getKey(), obstacle(positions.size(), records.size(), records.size() - known));
        }
      }
    } catch (Exception | LinkageError e) { // declared by reading and closing
      throw unavailable(root, e);
    }
    return new ProvenStatistics(StatisticsTable.of(listing.size(), proven), obstacles);
  }

  private static String obstacle(long files, long recorded, long unproven) {
    List<String> reasons = new ArrayList<>();
    if (recorded < files) {
      reasons.add(
          String.format("%d of %d base files have no record of it", files - recorded, files));
    }
    if (unproven > 0) {
      reasons.add(
          String.format(
              "the records of %d of %d base files prove no bounds, such as those that include 0"
                  + " where there may be a NULL",
              unproven, files));
    }
    return String.join("; ", reasons);
  }

  private static ColumnStatistics trusted(HoodieMetadataColumnStats stats) {
    return stats.getIsDeleted() ? null : TrustedColumnStats.of(stats);
  }

  private static Pair<String, String> key(String relativePath) {
    int slash = relativePath.lastIndexOf('/');
    return Pair.of(
        relativePath.substring(0, Math.max(0, slash)), relativePath.substring(slash + 1));
  }

  /**
   * The metadata table's names of those columns whose records may be trusted, by their lower-case
   * names; why those of the others are not is added to {@code obstacles}.
   */
  private Map<String, String> recordedNames(
      Collection<String> columns, Map<String, String> obstacles) throws IndexUnavailableException {
    if (columns.isEmpty()) {
      return Collections.emptyMap();
    }
    RecordedColumns recorded;
    try {
      recorded =
          RecordedColumns.of(
              new TableSchemaResolver(metaClient).getTableSchema().toAvroSchema(),
              metaClient.getTableConfig().getTableVersion());
    } catch (Exception | LinkageError e) { // declared by the resolver
      throw unavailable(metaClient.getBasePath().toString(), e);
    }
    for (String column : columns) {
      recorded.obstacle(column).ifPresent(obstacle -> obstacles.put(column, obstacle));
    }
    return recorded.trusted(columns);
  }

  private static IndexUnavailableException unavailable(String root, Throwable cause) {
    return new IndexUnavailableException(
        "cannot read the column statistics in the metadata table of " + root + ": " + cause, cause);
  }

  /**
   * How the metadata table is read, if it is. Hudi's cache of its blocks is off: it is one for the
   * whole JVM, limited by number and not by size, and keeps blocks of files by their names.
   */
  public static HoodieMetadataConfig reading(boolean isRead) {
    HoodieMetadataConfig config = HoodieMetadataConfig.newBuilder().enable(isRead).build();
    config.setValue(HoodieReaderConfig.HFILE_BLOCK_CACHE_ENABLED.key(), "false");
    return config;
  }
}
