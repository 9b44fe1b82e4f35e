/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;

/** The Parquet columns of one row group, each to be gone through once in spans of rows. */
final class RowGroupFields {
  private final int rows;
  private final MessageType schema;
  private final ColumnReadStoreImpl store;
  private final Map<StatisticsField, FieldReader> readers = new EnumMap<>(StatisticsField.class);
  private int start;

  /**
   * @param schema a projection of {@link StatisticsField#project}
   */
  RowGroupFields(PageReadStore pages, MessageType schema, String createdBy) throws IOException {
    if (pages.getRowCount() > Integer.MAX_VALUE) {
      throw new IOException("a row group has " + pages.getRowCount() + " rows");
    }
    this.rows = (int) pages.getRowCount();
    this.schema = schema;
    this.store = new ColumnReadStoreImpl(pages, new NoConversion(), schema, createdBy);
  }

  int rows() {
    return rows;
  }

  /** Where the next span of each field begins; never before the end of the last one. */
  void moveTo(int row) {
    start = row;
  }

  /** The reader of a field of the projection, at the row where the span begins. */
  FieldReader field(StatisticsField field) {
    FieldReader reader =
        readers.computeIfAbsent(
            field,
            first ->
                new FieldReader(
                    store.getColumnReader(
                        schema.getColumnDescription(new String[] {first.fieldName()}))));
    reader.moveTo(start);
    return reader;
  }

  /** Values are taken from the column readers; nothing is assembled. */
  private static final class NoConversion extends GroupConverter {
    @Override
    public Converter getConverter(int fieldIndex) {
      return new PrimitiveConverter() {};
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }
}
