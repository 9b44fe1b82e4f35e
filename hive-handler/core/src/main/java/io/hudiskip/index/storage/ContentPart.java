// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.index.parquet.PackedBytes;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;

/** Contents of one index kind and column in some base files. Immutable. */
final class ContentPart extends ColumnPart {
  private final PackedBytes contents;

  /** {@code files} is the number of base files of the data file. */
  ContentPart(RowGroupFields fields, int rows, int files) throws IOException {
    super(fields, rows, files);
    contents = fields.field(StatisticsField.CONTENT).bytes(rows);
  }

  /** Null if absent. */
  byte[] content(int row) {
    return contents.get(row);
  }

  @Override
  long weight() {
    return super.weight() + contents.weight();
  }
}
