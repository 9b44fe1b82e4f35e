// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.index;

import io.hudiskip.expression.ExplainedNode;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.hive.listing.SnapshotListing;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexState;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.statistics.Supplemented;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.avro.AvroSchemaUtils;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
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
  /**
   * Hudi 1.2 records a struct's field {@code array} under this name, as it does an array's
   * elements.
   */
  private static final String ARRAY_ELEMENT = ".list.element";

  private final HoodieTableMetaClient metaClient;

  private MetadataTableIndex(HoodieTableMetaClient metaClient) {
    this.metaClient = metaClient;
  }

  /**
   * The index of a table; empty if its metadata table has no column statistics.
   *
   * @throws IndexUnavailableException when the table cannot be opened
   */
  public static Optional<StatisticsIndex> open(
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
            + metaClient.getBasePath().toUri().getPath());
  }

  @Override
  public BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.evaluate(new Supplemented(read(expression, listing), beside), terms);
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.explain(new Supplemented(read(expression, listing), beside), terms);
  }

  private StatisticsTable read(HudiExpression expression, List<BaseFile> listing)
      throws IndexUnavailableException {
    Map<String, String> recorded = recordedNames(expression);
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
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
      return StatisticsTable.ofNothing(listing.size()); // opening the metadata table takes time
    }
    String root = metaClient.getBasePath().toString();
    StorageConfiguration<?> conf = metaClient.getStorageConf();
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            new HoodieLocalEngineContext(conf),
            metaClient.getStorage(),
            SnapshotListing.metadataTable(true),
            root)) {
      for (Map.Entry<String, String> column : recorded.entrySet()) {
        ColumnStatistics[] ranges = new ColumnStatistics[listing.size()];
        metadata
            .getColumnStats(new ArrayList<>(positions.keySet()), column.getValue())
            .forEach((file, stats) -> ranges[positions.get(file)] = trusted(stats));
        columns.put(column.getKey(), ranges);
      }
    } catch (Exception | LinkageError e) { // declared by reading and closing
      throw unavailable(root, e);
    }
    return StatisticsTable.of(listing.size(), columns);
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
   * The metadata table's names of those of an expression's columns whose records may be trusted, by
   * the expression's lower-case names.
   */
  private Map<String, String> recordedNames(HudiExpression expression)
      throws IndexUnavailableException {
    Map<String, String> names = new HashMap<>();
    Set<String> ambiguous = new HashSet<>();
    Set<String> trusted = new HashSet<>();
    if (!expression.columns().isEmpty()) {
      try {
        Schema schema = new TableSchemaResolver(metaClient).getTableSchema().toAvroSchema();
        addNames(schema, "", names, ambiguous, trusted);
      } catch (Exception | LinkageError e) { // declared by the resolver
        throw unavailable(metaClient.getBasePath().toString(), e);
      }
    }
    names.keySet().retainAll(expression.columns());
    names.keySet().retainAll(trusted);
    names.keySet().removeAll(ambiguous);
    return names;
  }

  private static void addNames(
      Schema schema,
      String prefix,
      Map<String, String> names,
      Set<String> ambiguous,
      Set<String> trusted) {
    for (Schema.Field field : schema.getFields()) {
      String name = prefix + field.name();
      String lowerCase = name.toLowerCase(Locale.ROOT);
      if (names.put(lowerCase, name) != null) {
        ambiguous.add(lowerCase);
      }
      Schema type = AvroSchemaUtils.getNonNullTypeFromUnion(field.schema());
      if (type.getType() == Schema.Type.RECORD) {
        addNames(type, name + ".", names, ambiguous, trusted);
      } else if (TrustedColumnStats.mayBeOf(type) && !name.contains(ARRAY_ELEMENT)) {
        trusted.add(lowerCase);
      }
    }
  }

  private static IndexUnavailableException unavailable(String root, Throwable cause) {
    return new IndexUnavailableException(
        "cannot read the column statistics in the metadata table of " + root + ": " + cause, cause);
  }
}
