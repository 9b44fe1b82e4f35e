// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.index.manifest.RecordKind;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.kind.IndexKind;
import java.io.IOException;

/** Maps a kind of rows to its {@link ColumnPart}. Immutable. */
final class PartType<T extends ColumnPart> {
  static final PartType<RangePart> RANGE =
      new PartType<>(RecordKind.RANGE, RangePart.class, RangePart::new);

  private interface Constructor<T> {
    T read(RowGroupFields fields, int rows, int files) throws IOException;
  }

  private final RecordKind kind;
  private final Class<T> partClass;
  private final Constructor<T> constructor;

  private PartType(RecordKind kind, Class<T> partClass, Constructor<T> constructor) {
    this.kind = kind;
    this.partClass = partClass;
    this.constructor = constructor;
  }

  static PartType<ContentPart> of(IndexKind kind) {
    return new PartType<>(RecordKind.of(kind), ContentPart.class, ContentPart::new);
  }

  RecordKind kind() {
    return kind;
  }

  T cast(ColumnPart part) {
    return partClass.cast(part);
  }

  /**
   * Reads the next rows of a row group; {@code files} is the number of base files of the data file.
   */
  T read(RowGroupFields fields, int rows, int files) throws IOException {
    return constructor.read(fields, rows, files);
  }
}
