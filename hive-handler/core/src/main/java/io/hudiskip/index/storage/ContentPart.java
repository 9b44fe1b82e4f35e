// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.Content;
import io.hudiskip.index.parquet.PackedBytes;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import java.util.Optional;
import javax.annotation.Nullable;

/** Contents of one index kind and column in some base files. Immutable. */
final class ContentPart extends RowGroupColumn {
  private final IndexKind kind;
  private final PackedBytes contents;

  /** {@code files} is the number of base files of the data file. */
  ContentPart(IndexKind kind, RowGroupFields fields, int rows, int files) throws IOException {
    super(fields, rows, files);
    this.kind = kind;
    contents = fields.field(StatisticsField.CONTENT).bytes(rows);
  }

  @Override
  @Nullable
  ColumnStatistics addTo(@Nullable ColumnStatistics known, int row, long fileRows) {
    Optional<Content> content = Optional.ofNullable(contents.get(row)).flatMap(kind::read);
    if (!content.isPresent()) {
      return known;
    }
    ColumnStatistics others = known == null ? withoutBounds(row) : known;
    // Ignores contents of values of another type than the bounds'.
    return type(row).equals(others.type()) ? others.with(kind.name(), content.get()) : others;
  }

  /** Records over several columns have no bounds or counts. */
  private ColumnStatistics withoutBounds(int row) {
    long unknown = ColumnStatistics.UNKNOWN_COUNT;
    return new ColumnStatistics(type(row), null, null, unknown, unknown, unknown);
  }

  @Override
  long weight() {
    return super.weight() + contents.weight();
  }
}
