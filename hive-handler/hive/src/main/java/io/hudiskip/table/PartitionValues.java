// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * The values of partition columns, where the paths of partitions determine them.
 *
 * <p>Readers return such a value in every row of the partition, as Spark and Hive's own tables do,
 * even if a file stores another one: a writer with a global index may leave an updated record in
 * its old partition. So the value holds for all rows, whatever the index says about the files.
 */
public final class PartitionValues {
  /** The only text that Hudi writes for an integer. */
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9]\\d{0,18}");

  /** From this year on, all calendars agree. */
  private static final int FIRST_YEAR = 1900;

  /** The last one with four digits. */
  private static final int LAST_YEAR = 9999;

  private static final char AFTER_SLASH = '/' + 1;

  private final PartitionColumns columns;
  private final Map<String, HiveType> types;
  private final boolean areInFiles;

  private PartitionValues(
      PartitionColumns columns, Map<String, HiveType> types, boolean areInFiles) {
    this.columns = columns;
    this.types = types;
    this.areInFiles = areInFiles;
  }

  /**
   * The values that a table's paths determine; none if its key generator may write other texts than
   * those of the values.
   *
   * @param dropped the partition columns that are not in the files, if any
   * @param hiveTypes the types of the table's columns, by lower-case name
   */
  static PartitionValues of(
      HoodieTableConfig config, PartitionColumns dropped, Map<String, TypeInfo> hiveTypes) {
    boolean areInFiles = dropped.isEmpty();
    PartitionColumns columns = areInFiles ? PartitionColumns.writtenTo(config) : dropped;
    Map<String, HiveType> types = new HashMap<>();
    for (String name : columns.names()) {
      String lowerCase = name.toLowerCase(Locale.ROOT);
      Optional.ofNullable(hiveTypes.get(lowerCase))
          .flatMap(type -> HiveType.parse(type.getTypeName()))
          .filter(PartitionValues::isReadFromPaths)
          .ifPresent(type -> types.put(lowerCase, type));
    }
    return new PartitionValues(columns, types, areInFiles);
  }

  /**
   * Whether the paths of the table at {@code location} determine values of a column; only the
   * table's properties are read.
   *
   * @throws UnreadableTableException when there is no Hudi table
   */
  public static boolean areIn(Configuration conf, String location, String column, TypeInfo type)
      throws UnreadableTableException {
    HoodieTableConfig config = TableProperties.load(conf, location);
    String lowerCase = column.toLowerCase(Locale.ROOT);
    return of(
            config,
            PartitionColumns.droppedBy(config, location),
            Collections.singletonMap(lowerCase, type))
        .areOfAny(Collections.singleton(lowerCase));
  }

  /** False if several texts may mean the same value, or if the value depends on a time zone. */
  private static boolean isReadFromPaths(HiveType type) {
    switch (type.kind()) {
      case STRING:
      case INTEGER:
      case BOOLEAN:
      case DATE:
        return true;
      default:
        return false;
    }
  }

  /** Whether paths determine values of any of these columns. */
  public boolean areOfAny(Iterable<String> lowerCaseNames) {
    for (String names : lowerCaseNames) { // of a record over several columns, joined by commas
      if (Arrays.stream(names.split(",")).anyMatch(types::containsKey)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The values, as texts in the path, of columns that the files have as well.
   *
   * @return by lower-case name, null for NULL; for other columns, the files' values count
   */
  public Map<String, String> inPlaceOfStored(String partition) {
    return areInFiles ? Collections.unmodifiableMap(texts(partition)) : Collections.emptyMap();
  }

  private Map<String, String> texts(String partition) {
    Map<String, String> texts = new HashMap<>();
    columns
        .folders(partition, true, this::mayHaveSlash)
        .forEach(
            (name, folder) -> {
              if (isExact(name, folder)) {
                texts.put(name, columns.unescaped(folder));
              }
            });
    return texts;
  }

  /** Whether a folder has the only text of a value of the column, or that of NULL. */
  private boolean isExact(String column, String folder) {
    if (!types.containsKey(column) || columns.contradictsProperties(column, folder)) {
      return false;
    }
    String text = columns.unescaped(folder);
    return text == null || (!text.isEmpty() && encoded(types.get(column), text).isPresent());
  }

  /**
   * Statistics of the rows below each path, in the order of the paths, as if there were one row:
   * all have the same values.
   *
   * @param arePartitions false if they may be directories of partitions
   */
  public StatisticsTable statistics(List<String> paths, boolean arePartitions) {
    long[] rows = new long[paths.size()];
    Arrays.fill(rows, 1);
    return statistics(paths, arePartitions, rows);
  }

  /** As above, with the number of rows below each path, where it is known. */
  public StatisticsTable statistics(List<String> paths, boolean arePartitions, long[] rows) {
    Map<String, Map<String, Known>> known = new HashMap<>();
    Map<String, ColumnStatistics[]> statistics = new HashMap<>();
    types.keySet().forEach(name -> statistics.put(name, new ColumnStatistics[paths.size()]));
    for (int i = 0; i < paths.size(); i++) {
      Map<String, Known> below =
          known.computeIfAbsent(
              paths.get(i), path -> arePartitions ? exact(path) : perhapsLonger(path));
      for (Map.Entry<String, Known> column : below.entrySet()) {
        statistics.get(column.getKey())[i] = column.getValue().of(rows[i]);
      }
    }
    return new InPlaceOfStored(StatisticsTable.of(paths.size(), statistics), types.keySet());
  }

  private Map<String, Known> exact(String partition) {
    Map<String, Known> known = new HashMap<>();
    texts(partition).forEach((name, text) -> known.put(name, Known.value(types.get(name), text)));
    return known;
  }

  private Map<String, Known> perhapsLonger(String directory) {
    Map<String, Known> known = new HashMap<>();
    columns
        .folders(directory, false, this::mayHaveSlash)
        .forEach(
            (name, folder) -> perhapsLonger(name, folder).ifPresent(of -> known.put(name, of)));
    return known;
  }

  private Optional<Known> perhapsLonger(String name, String folder) {
    String text = columns.unescaped(folder);
    if (!isExact(name, folder) || (text == null && mayHaveSlash(name))) {
      return Optional.empty();
    }
    HiveType type = types.get(name);
    return Optional.of(mayHaveSlash(name) ? Known.prefix(type, text) : Known.value(type, text));
  }

  /**
   * A writer may have ignored that texts are to be escaped; then a single column is all folders.
   */
  private boolean mayHaveSlash(String column) {
    return (!columns.isUrlEncoded() || columns.names().size() == 1)
        && Optional.ofNullable(types.get(column))
            .map(type -> type.kind() == HiveType.Kind.STRING)
            .orElse(true);
  }

  /** Empty unless the text is the one that Hudi writes for a value of the type. */
  private static Optional<byte[]> encoded(HiveType type, String text) {
    try {
      switch (type.kind()) {
        case STRING:
          return Optional.of(ValueEncoding.encodeString(text));
        case INTEGER:
          return INTEGER.matcher(text).matches()
              ? Optional.of(ValueEncoding.encodeInteger(parse(type, text)))
              : Optional.empty();
        case BOOLEAN:
          return text.equals("true") || text.equals("false")
              ? Optional.of(ValueEncoding.encodeBoolean(text.equals("true")))
              : Optional.empty();
        default:
          LocalDate date = LocalDate.parse(text);
          return date.getYear() >= FIRST_YEAR && date.getYear() <= LAST_YEAR
              ? Optional.of(ValueEncoding.encodeDate(date.toEpochDay()))
              : Optional.empty();
      }
    } catch (NumberFormatException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static long parse(HiveType type, String text) {
    return type.toString().equals("bigint") ? Long.parseLong(text) : Integer.parseInt(text);
  }

  /** Bounds of one column; none if all rows have NULL. */
  private static final class Known {
    private final HiveType type;
    @Nullable private final byte[] lower;
    @Nullable private final byte[] upper;

    private Known(HiveType type, @Nullable byte[] lower, @Nullable byte[] upper) {
      this.type = type;
      this.lower = lower;
      this.upper = upper;
    }

    static Known value(HiveType type, @Nullable String text) {
      byte[] value = text == null ? null : encoded(type, text).get();
      return new Known(type, value, value);
    }

    /** Of a text that a slash and more may follow: it sorts before the upper bound either way. */
    static Known prefix(HiveType type, String text) {
      return new Known(type, encoded(type, text).get(), encoded(type, text + AFTER_SLASH).get());
    }

    ColumnStatistics of(long rows) {
      boolean isNull = lower == null;
      long count = isNull && rows == ColumnStatistics.UNKNOWN_COUNT ? 1 : rows;
      return new ColumnStatistics(Optional.of(type), lower, upper, isNull ? count : 0, count, 0);
    }
  }

  /** Statistics in place of what an index says about these columns in the files. */
  private static final class InPlaceOfStored implements StatisticsTable {
    private static final ColumnStatistics NOTHING =
        new ColumnStatistics(
            Optional.empty(),
            null,
            null,
            ColumnStatistics.UNKNOWN_COUNT,
            ColumnStatistics.UNKNOWN_COUNT,
            ColumnStatistics.UNKNOWN_COUNT);

    private final StatisticsTable known;
    private final Set<String> columns;

    InPlaceOfStored(StatisticsTable known, Set<String> columns) {
      this.known = known;
      this.columns = columns;
    }

    @Override
    public int fileCount() {
      return known.fileCount();
    }

    @Override
    public Optional<ColumnVector> column(String name) {
      return known.column(name).isPresent() || !replaces(name)
          ? known.column(name)
          : Optional.of(file -> NOTHING);
    }

    /** Also records over several columns, whose names commas join. */
    @Override
    public boolean replaces(String column) {
      return Arrays.stream(column.split(",")).anyMatch(columns::contains);
    }
  }
}
