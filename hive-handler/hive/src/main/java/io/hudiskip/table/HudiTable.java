// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.table.commits.LastCommits;
import io.hudiskip.table.listing.ListedPartitions;
import io.hudiskip.table.listing.SnapshotListing;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** A readable Hudi table, as it is on storage when it is opened. */
public final class HudiTable {
  private final HoodieTableMetaClient metaClient;
  private LastCommits lastCommits;

  private HudiTable(HoodieTableMetaClient metaClient) {
    this.metaClient = metaClient;
  }

  /**
   * Opens the table with root directory {@code location}.
   *
   * @throws UnreadableTableException when there is no Hudi table, or Hive would misread its layout
   */
  public static HudiTable open(Configuration conf, String location)
      throws UnreadableTableException {
    HoodieTableMetaClient metaClient = TableProperties.open(conf, location);
    SupportedTables.requireReadable(metaClient);
    return new HudiTable(metaClient);
  }

  /**
   * The {@link #partitionColumns} of the table at {@code location}, from its properties alone.
   *
   * @throws UnreadableTableException when there is no Hudi table, or paths do not determine the
   *     values
   */
  public static PartitionColumns partitionColumns(Configuration conf, String location)
      throws UnreadableTableException {
    return PartitionColumns.droppedBy(TableProperties.load(conf, location), location);
  }

  /**
   * The columns by which the table at {@code location} is partitioned, in order, from its
   * properties alone.
   *
   * @throws UnreadableTableException when there is no Hudi table
   */
  public static List<String> partitionFields(Configuration conf, String location)
      throws UnreadableTableException {
    String[] fields =
        TableProperties.load(conf, location).getPartitionFields().orElse(new String[0]);
    return Collections.unmodifiableList(Arrays.asList(fields));
  }

  public HoodieTableMetaClient metaClient() {
    return metaClient;
  }

  public synchronized LastCommits lastCommits() {
    if (lastCommits == null) {
      lastCommits = new LastCommits(metaClient);
    }
    return lastCommits;
  }

  public String name() {
    return metaClient.getTableConfig().getTableName();
  }

  /** Hudi's names of the table: qualified with its database, if it has one, then plain. */
  public List<String> names() {
    return names(metaClient.getTableConfig());
  }

  /**
   * The {@link #names()} of the table at {@code location}, from its properties alone.
   *
   * @throws UnreadableTableException when there is no Hudi table
   */
  public static List<String> names(Configuration conf, String location)
      throws UnreadableTableException {
    return names(TableProperties.load(conf, location));
  }

  private static List<String> names(HoodieTableConfig config) {
    String name = config.getTableName();
    String database = config.getDatabaseName();
    return database == null || database.isEmpty()
        ? Collections.singletonList(name)
        : Collections.unmodifiableList(Arrays.asList(database + "." + name, name));
  }

  /**
   * The current schema, including Hudi's own columns.
   *
   * @throws UnreadableTableException when the table has none yet
   */
  public Schema avroSchema() throws UnreadableTableException {
    try {
      return TableSchemas.avro(metaClient);
    } catch (Exception e) { // the method declares Exception
      throw new UnreadableTableException(
          String.format(
              "cannot read the schema of %s: %s. If the table is new, write to it first",
              metaClient.getBasePath(), e.getMessage()),
          e);
    }
  }

  /**
   * The columns in schema order with lower-case names, including Hudi's own columns.
   *
   * @throws UnreadableTableException when the table has no schema yet, or one Hive cannot represent
   */
  public Map<String, TypeInfo> columns() throws UnreadableTableException {
    Map<String, TypeInfo> columns = new LinkedHashMap<>();
    Schema schema = avroSchema();
    for (Schema.Field field : schema.getFields()) {
      String name = field.name().toLowerCase(Locale.ROOT);
      if (columns.put(name, ColumnTypes.hiveType(field.schema(), field.name())) != null) {
        throw new UnreadableTableException(
            "two columns differ only in case: "
                + field.name()
                + ". Hive ignores case in column names; rename one of them");
      }
    }
    PartitionColumns inPaths = partitionColumns();
    HoodieTableConfig config = metaClient.getTableConfig();
    if (config.getTableType() == HoodieTableType.MERGE_ON_READ) {
      Merging.requireKeys(config, schema, inPaths, metaClient.getBasePath().toString());
    }
    for (Map.Entry<String, TypeInfo> column : columns.entrySet()) {
      if (inPaths.contains(column.getKey())
          && !column.getValue().equals(TypeInfoFactory.stringTypeInfo)) {
        throw new UnreadableTableException(
            String.format(
                "partition column %s of %s is %s, and with %s=true only strings can be read."
                    + " Rewrite the table without that option",
                column.getKey(),
                metaClient.getBasePath(),
                column.getValue().getTypeName(),
                HoodieTableConfig.DROP_PARTITION_COLUMNS.key()));
      }
    }
    return Collections.unmodifiableMap(columns);
  }

  /**
   * All file slices of a {@link SnapshotListing}.
   *
   * @throws UnreadableTableException when Hive cannot represent the table's columns
   */
  public List<FileSlice> slices(@Nullable String instant, boolean isReadOptimized)
      throws IOException, UnreadableTableException {
    return slices(instant, isReadOptimized, ListedPartitions.ALL);
  }

  /**
   * The file slices of a {@link SnapshotListing} in those partitions that a filter keeps.
   *
   * @throws UnreadableTableException when Hive cannot represent the table's columns
   */
  public List<FileSlice> slices(
      @Nullable String instant, boolean isReadOptimized, ListedPartitions filter)
      throws IOException, UnreadableTableException {
    columns();
    try (SnapshotListing listing = new SnapshotListing(metaClient, instant, isReadOptimized)) {
      return listing.slices(filter);
    }
  }

  /**
   * The file slices of the latest state.
   *
   * @throws UnreadableTableException as {@link #slices}
   */
  public List<FileSlice> latestSlices() throws IOException, UnreadableTableException {
    return slices(null, false);
  }

  /** The latest file slices of some partitions; dropped partitions have none. */
  public List<FileSlice> latestSlices(Collection<String> partitions) throws IOException {
    try (SnapshotListing listing = new SnapshotListing(metaClient, null, false)) {
      return listing.slices(partitions);
    }
  }

  /**
   * The values of partition columns that readers take from paths.
   *
   * @throws UnreadableTableException when Hive cannot represent the table's columns
   */
  public PartitionValues partitionValues() throws UnreadableTableException {
    return PartitionValues.of(metaClient.getTableConfig(), partitionColumns(), columns());
  }

  /** The partition columns that are in the files' paths and not in the files. */
  public PartitionColumns partitionColumns() throws UnreadableTableException {
    return PartitionColumns.droppedBy(
        metaClient.getTableConfig(), metaClient.getBasePath().toString());
  }
}
