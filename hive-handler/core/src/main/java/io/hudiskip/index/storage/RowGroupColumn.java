// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.Runs;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/** The rows of one kind and column in one row group, possibly none. Immutable. */
abstract class RowGroupColumn {
  private static final int NO_ROW = -1;

  private final int count;
  private final int firstFile;

  /** The ordinal of each row's file, ascending; null if they are consecutive. */
  @Nullable private final int[] scatteredFiles;

  /** The type as which each row's file stores the column; one entry if all agree. */
  private final List<Optional<HiveType>> types;

  /**
   * Reads the next rows of {@code FILE} and {@code TYPE}; {@code files} is the number of base files
   * of the data file.
   */
  RowGroupColumn(RowGroupFields fields, int rows, int files) throws IOException {
    int[] ordinals = fields.field(StatisticsField.FILE).ints(rows);
    int last = requireAscending(ordinals, files);
    count = rows;
    firstFile = rows == 0 ? 0 : ordinals[0];
    scatteredFiles = last - firstFile == rows - 1 ? null : ordinals;
    types = types(fields.field(StatisticsField.TYPE).runs(rows));
  }

  /** Returns the last ordinal; -1 if there is none. */
  private static int requireAscending(int[] ordinals, int files) throws IOException {
    int last = -1;
    for (int ordinal : ordinals) {
      if (ordinal <= last || ordinal >= files) {
        throw new IOException(
            "file ordinals must ascend and be below "
                + files
                + ", but "
                + ordinal
                + " follows "
                + last);
      }
      last = ordinal;
    }
    return last;
  }

  private static List<Optional<HiveType>> types(Runs names) {
    List<Optional<HiveType>> types = new ArrayList<>();
    for (int run = 0; run < names.count(); run++) {
      Optional<HiveType> type = HiveType.parse(names.value(run).toStringUsingUTF8());
      int rows = names.count() == 1 ? 1 : names.end(run) - names.start(run);
      types.addAll(Collections.nCopies(rows, type));
    }
    return types;
  }

  final int count() {
    return count;
  }

  /** Least ordinal of a base file; 0 if there are no rows. */
  final int firstFile() {
    return firstFile;
  }

  /** The row of a base file; negative if there is none. */
  final int row(int ordinal) {
    if (scatteredFiles != null) {
      return Arrays.binarySearch(scatteredFiles, ordinal);
    }
    int row = ordinal - firstFile;
    return row < count ? row : NO_ROW;
  }

  /** The type as which the row's file stores the column; empty if this build does not know it. */
  final Optional<HiveType> type(int row) {
    return types.get(types.size() == 1 ? 0 : row);
  }

  /**
   * Adds what a row says.
   *
   * @param known what other kinds of rows say of the same column and base file; null if nothing
   * @param fileRows number of rows of the base file
   * @return null if nothing is known
   */
  @Nullable
  abstract ColumnStatistics addTo(@Nullable ColumnStatistics known, int row, long fileRows);

  /** Approximate memory in bytes. */
  long weight() {
    return 72 + (scatteredFiles == null ? 0 : 4L * count) + 4L * types.size();
  }
}
