// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.parquet.Counts;
import io.hudiskip.index.parquet.PackedBytes;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import javax.annotation.Nullable;

/** Bounds and counts of one column in some base files. Immutable. */
final class RangePart extends RowGroupColumn {
  private final PackedBytes lower;
  private final PackedBytes upper;
  private final Counts nullCounts;
  private final Counts nanCounts;

  /** {@code files} is the number of base files of the data file. */
  RangePart(RowGroupFields fields, int rows, int files) throws IOException {
    super(fields, rows, files);
    lower = fields.field(StatisticsField.LOWER).bytes(rows);
    upper = fields.field(StatisticsField.UPPER).bytes(rows);
    nullCounts = Counts.of(fields.field(StatisticsField.NULL_COUNT).counts(rows));
    nanCounts = Counts.of(fields.field(StatisticsField.NAN_COUNT).counts(rows));
  }

  /** Bounds are read before anything else is known. */
  @Override
  ColumnStatistics addTo(@Nullable ColumnStatistics known, int row, long fileRows) {
    return new ColumnStatistics(
        type(row),
        lower.get(row),
        upper.get(row),
        nullCounts.get(row),
        fileRows,
        nanCounts.get(row));
  }

  @Override
  long weight() {
    return super.weight()
        + lower.weight()
        + upper.weight()
        + nullCounts.weight()
        + nanCounts.weight();
  }
}
