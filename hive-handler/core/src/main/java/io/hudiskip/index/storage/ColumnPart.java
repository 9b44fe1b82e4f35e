// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.Runs;
import io.hudiskip.index.parquet.StatisticsField;
import io.hudiskip.statistics.ColumnStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/** The rows of one kind and column in one row group, possibly none. Immutable. */
abstract class ColumnPart {
  private final Ordinals files;

  /** The type as which each row's file stores the column; one entry if all agree. */
  private final List<Optional<HiveType>> types;

  /**
   * Reads the next rows of {@code FILE} and {@code TYPE}; {@code files} is the number of base files
   * of the data file.
   */
  ColumnPart(RowGroupFields fields, int rows, int files) throws IOException {
    this.files = Ordinals.of(fields.field(StatisticsField.FILE).ints(rows), files);
    this.types = types(fields.field(StatisticsField.TYPE).runs(rows));
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
    return files.count();
  }

  /** Least ordinal of a base file; 0 if there are no rows. */
  final int firstFile() {
    return files.first();
  }

  /** The row of a base file; negative if there is none. */
  final int row(int ordinal) {
    return files.row(ordinal);
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
    return 32 + files.weight() + 4L * types.size();
  }
}
