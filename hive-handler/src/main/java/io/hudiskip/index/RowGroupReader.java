/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ColumnRange;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;

/**
 * Steps through the rows of one row group, Parquet column by Parquet column, and keeps those that
 * are wanted.
 */
final class RowGroupReader {
  private final Map<StatisticsField, ColumnReader> readers = new EnumMap<>(StatisticsField.class);
  private final Map<String, Optional<HiveType>> types = new HashMap<>();
  private final long rows;

  /**
   * @param schema the projection of {@link StatisticsField#project}
   */
  RowGroupReader(PageReadStore pages, MessageType schema, String createdBy) {
    ColumnReadStoreImpl store =
        new ColumnReadStoreImpl(pages, new NoConversion(), schema, createdBy);
    for (StatisticsField field : StatisticsField.values()) {
      ColumnDescriptor descriptor = schema.getColumnDescription(new String[] {field.fieldName()});
      readers.put(field, store.getColumnReader(descriptor));
    }
    rows = pages.getRowCount();
  }

  /** Adds the rows of the columns that {@code wanted} has a builder for. */
  void readInto(Map<String, ColumnStatistics.Builder> wanted) throws IOException {
    // Rows are sorted by column, so that a name is looked up once for many of them.
    Binary column = null;
    ColumnStatistics.Builder builder = null;
    for (long row = 0; row < rows; row++) {
      Binary next = required(StatisticsField.COLUMN);
      if (!next.equals(column)) {
        column = next.copy();
        builder = wanted.get(column.toStringUsingUTF8());
      }
      if (builder == null) {
        skipExcept(StatisticsField.COLUMN);
      } else {
        readRow(builder);
      }
      readers.values().forEach(ColumnReader::consume);
    }
  }

  private void readRow(ColumnStatistics.Builder builder) throws IOException {
    String partition = requiredText(StatisticsField.PARTITION);
    String fileName = requiredText(StatisticsField.FILE_NAME);
    long size = count(StatisticsField.FILE_SIZE);
    ColumnRange range =
        new ColumnRange(
            types.computeIfAbsent(requiredText(StatisticsField.TYPE), HiveType::parse),
            bytes(StatisticsField.LOWER),
            bytes(StatisticsField.UPPER),
            count(StatisticsField.NULL_COUNT),
            count(StatisticsField.VALUE_COUNT),
            count(StatisticsField.NAN_COUNT));
    builder.put(partition.isEmpty() ? fileName : partition + "/" + fileName, size, range);
  }

  private void skipExcept(StatisticsField read) {
    readers.forEach(
        (field, reader) -> {
          // A NULL takes no place among the values: to skip it would skip the next row's value.
          if (field != read && !isNull(reader)) {
            reader.skip();
          }
        });
  }

  private static boolean isNull(ColumnReader reader) {
    return reader.getCurrentDefinitionLevel() < reader.getDescriptor().getMaxDefinitionLevel();
  }

  private byte[] bytes(StatisticsField field) {
    ColumnReader reader = readers.get(field);
    return isNull(reader) ? null : reader.getBinary().getBytes();
  }

  private Binary required(StatisticsField field) throws IOException {
    ColumnReader reader = readers.get(field);
    if (isNull(reader)) {
      throw new IOException("a row has no " + field.fieldName());
    }
    return reader.getBinary();
  }

  private String requiredText(StatisticsField field) throws IOException {
    return required(field).toStringUsingUTF8();
  }

  private long count(StatisticsField field) {
    ColumnReader reader = readers.get(field);
    return isNull(reader) ? ColumnRange.UNKNOWN_COUNT : reader.getLong();
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
