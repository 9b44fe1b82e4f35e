// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.index.BaseFile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of one partition in which file i has the values 10 i to 10 i + 9 of each column. */
final class SortedTable {
  static final int FILES = 60;

  private SortedTable() {}

  static String fileName(int file) {
    return String.format("f%02d", file);
  }

  static IndexRow row(String column, int file, long lower, long upper) {
    return IndexRow.of(column, "p", fileName(file), lower, upper);
  }

  static List<IndexRow> columns(String... names) {
    return Arrays.stream(names)
        .flatMap(
            name -> IntStream.range(0, FILES).mapToObj(i -> row(name, i, 10L * i, 10L * i + 9)))
        .collect(Collectors.toList());
  }

  static List<BaseFile> listing() {
    return IntStream.range(0, FILES)
        .mapToObj(i -> new BaseFile("p/" + fileName(i), 100))
        .collect(Collectors.toList());
  }
}
