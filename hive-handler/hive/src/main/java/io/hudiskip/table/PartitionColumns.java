// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.CollectionUtils;
import org.apache.hudi.common.util.PartitionPathEncodeUtils;
import org.apache.hudi.common.util.StringUtils;
import org.apache.hudi.keygen.constant.KeyGeneratorType;

/**
 * Partition columns of a table, and how the paths of partitions have their values. The values are
 * read from there if the table keeps the columns out of its files ({@code
 * hoodie.datasource.write.drop.partition.columns}). {@code
 * pycompiler/index/collect/partition_values.py} has the same rules, and {@code
 * tests/conformance/partition_values.json} tests both.
 */
public final class PartitionColumns {
  /** Key generators that write the columns' values unchanged. */
  private static final Set<String> KEY_GENERATORS =
      CollectionUtils.createImmutableSet(
          KeyGeneratorType.SIMPLE.getClassName(),
          KeyGeneratorType.SIMPLE_AVRO.getClassName(),
          KeyGeneratorType.COMPLEX.getClassName(),
          KeyGeneratorType.COMPLEX_AVRO.getClassName());

  /** Hudi 1.2 puts the day 2026-01-02 into the folder 2026/01/02. */
  private static final String SLASHED_DATES =
      "hoodie.datasource.write.slash.separated.date.partitioning";

  private static final Pattern ESCAPED = Pattern.compile("%([0-9A-Fa-f]{2})");

  private final List<String> names;
  private final boolean hiveStyle;
  private final boolean urlEncoded;

  /**
   * Creates partition columns.
   *
   * @param names in path order, as Hudi spells them
   * @param hiveStyle whether folders are named {@code column=value}
   * @param urlEncoded whether Hudi has escaped the values
   */
  public PartitionColumns(List<String> names, boolean hiveStyle, boolean urlEncoded) {
    this.names = names;
    this.hiveStyle = hiveStyle;
    this.urlEncoded = urlEncoded;
  }

  /** The columns that a table keeps out of its files; usually none. */
  static PartitionColumns droppedBy(HoodieTableConfig config, String table)
      throws UnreadableTableException {
    List<String> names =
        config.shouldDropPartitionColumns()
            ? Arrays.asList(config.getPartitionFields().orElse(new String[0]))
            : Collections.emptyList();
    Optional<String> obstacle = names.isEmpty() ? Optional.empty() : obstacle(config, names);
    if (obstacle.isPresent()) {
      throw new UnreadableTableException(
          String.format(
              "%s was written with %s=true: its partition columns are not in the files, and"
                  + " %s. Rewrite the table without that option",
              table, HoodieTableConfig.DROP_PARTITION_COLUMNS.key(), obstacle.get()));
    }
    return of(config, names);
  }

  /** The partition columns whose values writers put into the paths; none if they may differ. */
  static PartitionColumns writtenTo(HoodieTableConfig config) {
    List<String> names = Arrays.asList(config.getPartitionFields().orElse(new String[0]));
    return of(
        config,
        names.isEmpty() || obstacle(config, names).isPresent() ? Collections.emptyList() : names);
  }

  private static PartitionColumns of(HoodieTableConfig config, List<String> names) {
    return new PartitionColumns(
        Collections.unmodifiableList(names),
        Boolean.parseBoolean(config.getHiveStylePartitioningEnable()),
        Boolean.parseBoolean(config.getUrlEncodePartitioning()));
  }

  /** Why paths do not have the columns' values, for a message; empty if they have. */
  private static Optional<String> obstacle(HoodieTableConfig config, List<String> names) {
    String keyGenerator = config.getKeyGeneratorClassName();
    if (!KEY_GENERATORS.contains(keyGenerator)) {
      return Optional.of(
          "the key generator "
              + keyGenerator
              + " does not write their values into the paths unchanged");
    }
    for (String name : names) {
      if (name.contains(".")) {
        return Optional.of(name + " is a nested field");
      }
    }
    if (Boolean.parseBoolean(config.getProps().getProperty(SLASHED_DATES))) {
      return Optional.of(SLASHED_DATES + "=true splits dates into folders");
    }
    return StringUtils.isNullOrEmpty(
                config.getString(HoodieTableConfig.HIVE_STYLE_PARTITIONING_ENABLE))
            || StringUtils.isNullOrEmpty(
                config.getString(HoodieTableConfig.URL_ENCODE_PARTITIONING))
        ? Optional.of("its properties do not define the path format")
        : Optional.empty();
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /** Ignores case. */
  public boolean contains(String column) {
    return names.stream().anyMatch(column::equalsIgnoreCase);
  }

  /**
   * A file's values of the columns, by lower-case name; null for NULL.
   *
   * @param partitionPath folder of the file, relative to the table
   * @throws UnreadableTableException when the path does not determine a value
   */
  public Map<String, String> values(String partitionPath) throws UnreadableTableException {
    Map<String, String> folders = folders(partitionPath, true, name -> !urlEncoded);
    boolean isTooLong = urlEncoded && partitionPath.split("/", -1).length > names.size();
    if (folders.size() != names.size() || folders.containsValue("") || isTooLong) {
      throw new UnreadableTableException(
          String.format(
              "the partition path '%s' does not determine the values of %s, which are not in"
                  + " the files. Write the table with"
                  + " hoodie.datasource.write.partitionpath.urlencode=true",
              partitionPath, names));
    }
    Map<String, String> values = new HashMap<>();
    folders.forEach((name, folder) -> values.put(name, unescaped(folder)));
    return values;
  }

  /**
   * The folders of each column in the path of a partition, or of a directory of partitions. Only
   * texts that are not escaped may have slashes; where several columns may, those behind them are
   * unclear.
   *
   * <p>A directory's folder of a column is also that of each partition below it, or the beginning
   * of that, if the path of a partition has more or fewer folders than there are columns, too. So a
   * directory may be left out for its folders.
   *
   * @param isPartition false if more folders may follow
   * @param mayHaveSlash whether a column's value, by lower-case name, may be several folders
   * @return not unescaped, by lower-case name; without columns that the path does not determine.
   *     The value of a directory's last column may go on
   */
  Map<String, String> folders(String path, boolean isPartition, Predicate<String> mayHaveSlash) {
    Map<String, String> folders = new HashMap<>();
    List<String> parts = Arrays.asList(path.split("/", -1));
    List<Boolean> areLong =
        names.stream()
            .map(name -> mayHaveSlash.test(name.toLowerCase(Locale.ROOT)))
            .collect(Collectors.toList());
    boolean isClear = areLong.indexOf(true) == areLong.lastIndexOf(true);
    int end = names.size();
    int more = 0; // folders of the only text that may have several
    if (!isPartition || (!isClear && parts.size() != end)) {
      end = areLong.contains(true) ? areLong.indexOf(true) + (isClear ? 1 : 0) : end;
    } else if (areLong.contains(true)) {
      more = Math.max(0, parts.size() - end);
    }
    int next = 0;
    for (int i = 0; i < end && next < parts.size(); i++) {
      int first = next;
      next += isPartition && areLong.get(i) && isClear ? 1 + more : 1;
      String folder = String.join("/", parts.subList(first, next));
      String prefix = hiveStyle ? names.get(i) + "=" : "";
      if (folder.startsWith(prefix)) {
        folders.put(names.get(i).toLowerCase(Locale.ROOT), folder.substring(prefix.length()));
      }
    }
    return folders;
  }

  /**
   * Whether one of the {@link #folders} looks as the table's properties say that none does: a
   * writer may have ignored them. It has not escaped a text of several folders, as Hudi escapes
   * slashes.
   *
   * @param column ignores case
   */
  boolean contradictsProperties(String column, String folder) {
    return (!hiveStyle
            && names.stream()
                .anyMatch(name -> name.equalsIgnoreCase(column) && folder.startsWith(name + "=")))
        || (!urlEncoded && !folder.contains("/") && ESCAPED.matcher(folder).find());
  }

  List<String> names() {
    return names;
  }

  boolean isUrlEncoded() {
    return urlEncoded;
  }

  /** Null for NULL. */
  @Nullable
  String unescaped(String value) {
    // Hudi also writes this for the empty string.
    if (value.equals(PartitionPathEncodeUtils.DEFAULT_PARTITION_PATH)) {
      return null;
    }
    if (!urlEncoded) {
      return value;
    }
    Matcher escape = ESCAPED.matcher(value);
    StringBuffer text = new StringBuffer();
    while (escape.find()) {
      escape.appendReplacement(text, "");
      text.append((char) Integer.parseInt(escape.group(1), 16));
    }
    return escape.appendTail(text).toString();
  }
}
