// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.PossibleValues;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.ColumnOfFiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Files in which each of some columns has one value in all rows. */
public final class SingleValueFiles {
  private SingleValueFiles() {}

  /**
   * Groups files by the values.
   *
   * @param files all of them have rows
   * @return for each combination of values, encoded or null for NULL, in the order of the columns:
   *     its files, as positions in the list; without files whose values are not known to be single
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  public static Map<List<ByteBuffer>, List<Integer>> group(
      StatisticsIndex index, List<ReadColumn> columns, List<BaseFile> files)
      throws IndexUnavailableException {
    List<Integer> left = new ArrayList<>();
    List<List<ByteBuffer>> values = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      left.add(i);
      values.add(new ArrayList<>(columns.size()));
    }
    for (ReadColumn column : columns) {
      if (left.isEmpty() || !isReadAsStored(column.type())) {
        return new LinkedHashMap<>();
      }
      List<BaseFile> asked = left.stream().map(files::get).collect(Collectors.toList());
      List<Optional<ColumnStatistics>> known = ColumnOfFiles.read(index, column, asked);
      List<Integer> single = new ArrayList<>();
      for (int i = 0; i < known.size(); i++) {
        List<byte[]> possible = possible(column.type(), known.get(i));
        if (possible.size() == 1) {
          single.add(left.get(i));
          values.get(left.get(i)).add(wrapped(possible.get(0)));
        }
      }
      left = single;
    }
    return left.stream()
        .collect(Collectors.groupingBy(values::get, LinkedHashMap::new, Collectors.toList()));
  }

  /** Whether every value that Hive reads is the stored one, which is neither cut nor padded. */
  private static boolean isReadAsStored(HiveType type) {
    switch (type.kind()) {
      case BOOLEAN:
      case INTEGER:
      case DECIMAL:
      case DATE:
        return true;
      case STRING:
        return type.toString().equals("string"); // not a char or varchar
      default:
        return false;
    }
  }

  /** One or two of the values that a column may have in a file; none if they are not known. */
  private static List<byte[]> possible(HiveType type, Optional<ColumnStatistics> known) {
    return known
        .flatMap(ofFile -> PossibleValues.of(type, ofFile, 1))
        .orElse(Collections.emptyList());
  }

  @Nullable
  private static ByteBuffer wrapped(@Nullable byte[] value) {
    return value == null ? null : ByteBuffer.wrap(value).asReadOnlyBuffer();
  }
}
