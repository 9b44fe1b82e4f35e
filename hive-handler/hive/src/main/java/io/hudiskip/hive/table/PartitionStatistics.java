// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.table;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.StatisticsTable;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.PartitionPathEncodeUtils;
import org.apache.hudi.metadata.MetadataPartitionType;

/**
 * What the paths of a table's partitions prove of the values of partition columns, as the
 * statistics of one file for each partition.
 *
 * <p>Where the columns are not in the files, readers take the values from the path. Where they are,
 * this is sound because Hudi puts a record, of a base file or a log, into the partition that its key
 * generator makes of the record's own columns, so every record of a partition has values with the
 * text of its path; and a row is a record. That does not hold for a writer with a global index that
 * keeps updated records in the partitions of their predecessors. Nothing is concluded if the table
 * has such an index of its own ({@link #of}); others leave no trace in the table, and Spark and
 * Hive's own tables trust the path, too ({@code docs/guides/query.md}).
 */
public final class PartitionStatistics {
  /** What may be the text of a float or decimal, which Hive may print otherwise. */
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\d*\\.\\d*([eE][-+]?\\d+)?|\\d+[eE][-+]?\\d+|Infinity)|NaN");

  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9]\\d*");

  /** Older releases of Hudi put NULL into it. */
  private static final String OLD_DEFAULT = "default";

  /** Before, writers may count days by another calendar. */
  private static final int FIRST_YEAR = 1900;

  private static final int LAST_YEAR = 9999;

  private static final char AFTER_SLASH = '/' + 1;

  private final PartitionColumns columns;
  private final Map<String, HiveType> types;
  private final boolean areInFiles;

  private PartitionStatistics(
      PartitionColumns columns, Map<String, HiveType> types, boolean areInFiles) {
    this.columns = columns;
    this.types = types;
    this.areInFiles = areInFiles;
  }

  /**
   * The statistics of a table's partitions. They are of no column if the table's properties do not
   * prove that paths determine values: if the key generator writes other texts, if merging may
   * change the value, or if the table has a record index, with which Hudi leaves an updated record
   * in the partition of its predecessor by default.
   *
   * @param hiveTypes of the table's columns, by lower-case name
   */
  static PartitionStatistics of(
      HoodieTableConfig config, PartitionColumns inPaths, Map<String, TypeInfo> hiveTypes) {
    boolean areInFiles = inPaths.isEmpty();
    Map<String, HiveType> types = new HashMap<>();
    PartitionColumns columns = areInFiles ? PartitionColumns.writtenTo(config) : inPaths;
    if (!areInFiles || keepsRecordsInTheirPartitions(config)) {
      for (String name : columns.names()) {
        Optional.ofNullable(hiveTypes.get(name.toLowerCase(Locale.ROOT)))
            .flatMap(type -> HiveType.parse(type.getTypeName()))
            .ifPresent(type -> types.put(name.toLowerCase(Locale.ROOT), type));
      }
    }
    return new PartitionStatistics(columns, types, areInFiles);
  }

  private static boolean keepsRecordsInTheirPartitions(HoodieTableConfig config) {
    return Merging.keepsRecordsWhole(config)
        && !config.isMetadataPartitionAvailable(MetadataPartitionType.RECORD_INDEX)
        && !config
            .getMetadataPartitionsInflight()
            .contains(MetadataPartitionType.RECORD_INDEX.getPartitionPath());
  }

  /** Whether paths determine something of one of these columns. */
  public boolean areOfAny(Iterable<String> lowerCaseNames) {
    for (String name : lowerCaseNames) {
      if (types.containsKey(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The statistics of all rows below some paths, in order.
   *
   * @param arePartitions false if they may be directories of partitions
   */
  public StatisticsTable of(List<String> paths, boolean arePartitions) {
    Map<String, ColumnStatistics[]> known = new HashMap<>();
    types.keySet().forEach(name -> known.put(name, new ColumnStatistics[paths.size()]));
    for (int i = 0; i < paths.size(); i++) {
      Map<String, String> folders =
          columns.folders(paths.get(i), arePartitions, this::mayHaveSlash);
      for (Map.Entry<String, String> folder : folders.entrySet()) {
        HiveType type = types.get(folder.getKey());
        if (type != null) {
          known.get(folder.getKey())[i] = statistics(type, folder.getValue(), arePartitions);
        }
      }
    }
    return StatisticsTable.of(paths.size(), known);
  }

  private boolean mayHaveSlash(String column) {
    return !columns.isUrlEncoded()
        && Optional.ofNullable(types.get(column))
            .map(type -> type.kind() == HiveType.Kind.STRING)
            .orElse(true);
  }

  /** Null if the text does not determine the value. */
  @Nullable
  private ColumnStatistics statistics(HiveType type, String folder, boolean isPartition) {
    if (folder.equals(PartitionPathEncodeUtils.DEFAULT_PARTITION_PATH)) {
      // Hudi also writes this for the empty string.
      boolean isNull = type.kind() != HiveType.Kind.STRING || !areInFiles;
      return isNull ? new ColumnStatistics(Optional.of(type), null, null, 1, 1, 0) : null;
    }
    if (folder.isEmpty() || folder.equals(OLD_DEFAULT)) {
      return null;
    }
    switch (type.kind()) {
      case STRING:
        return text(type, folder, isPartition);
      case INTEGER:
        return INTEGER.matcher(folder).matches() ? integer(type, folder) : null;
      case BOOLEAN:
        return folder.equals("true") || folder.equals("false")
            ? value(type, ValueEncoding.encodeBoolean(folder.equals("true")))
            : null;
      case DATE:
        return date(type, folder);
      default:
        return null; // several texts may mean one value, or a zone decides
    }
  }

  @Nullable
  private ColumnStatistics text(HiveType type, String folder, boolean isPartition) {
    String text = columns.unescaped(folder);
    if (areInFiles && FRACTION.matcher(text).matches()) {
      return null;
    }
    if (columns.isUrlEncoded()) {
      // Escaping is injective: this is the only value with this folder.
      return areInFiles && !PartitionPathEncodeUtils.escapePathName(text).equals(folder)
          ? null
          : value(type, ValueEncoding.encodeString(text));
    }
    byte[] lower = ValueEncoding.encodeString(text);
    // a, a/ and a/. are one folder, and more folders may follow: all of these begin with a/.
    return !areInFiles && isPartition
        ? value(type, lower)
        : between(type, lower, ValueEncoding.encodeString(text + AFTER_SLASH));
  }

  @Nullable
  private static ColumnStatistics integer(HiveType type, String text) {
    try {
      return value(type, ValueEncoding.encodeInteger(Long.parseLong(text)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Nullable
  private static ColumnStatistics date(HiveType type, String text) {
    try {
      LocalDate date = LocalDate.parse(text);
      return date.getYear() >= FIRST_YEAR
              && date.getYear() <= LAST_YEAR
              && date.toString().equals(text)
          ? value(type, ValueEncoding.encodeDate(date.toEpochDay()))
          : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static ColumnStatistics value(HiveType type, byte[] encoded) {
    return between(type, encoded, encoded);
  }

  /** Not NULL: Hudi has another partition for NULL. Of at least one row. */
  private static ColumnStatistics between(HiveType type, byte[] lower, byte[] upper) {
    return new ColumnStatistics(Optional.of(type), lower, upper, 0, 1, 0);
  }
}
