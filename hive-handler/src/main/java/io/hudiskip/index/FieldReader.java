/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ColumnRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;

/** Goes once through one Parquet column of a row group, in spans of rows. */
final class FieldReader {
  private final String name;
  private final ColumnReader reader;
  private final int presentLevel;
  private long row;

  FieldReader(ColumnReader reader) {
    this.name = reader.getDescriptor().getPath()[0];
    this.reader = reader;
    this.presentLevel = reader.getDescriptor().getMaxDefinitionLevel();
  }

  /** Goes on to a row that was not passed yet. */
  void moveTo(long nextRow) {
    for (; row < nextRow; row++) {
      // A NULL takes no place among the values: to skip it would skip the next row's value.
      if (isPresent()) {
        reader.skip();
      }
      reader.consume();
    }
  }

  /** The next {@code count} values, each of which has to be there. */
  int[] ints(int count) throws IOException {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      requirePresent();
      values[i] = reader.getInteger();
      reader.consume();
    }
    row += count;
    return values;
  }

  /** The next {@code count} counts; {@link ColumnRange#UNKNOWN_COUNT} where there is none. */
  long[] counts(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = isPresent() ? reader.getLong() : ColumnRange.UNKNOWN_COUNT;
      reader.consume();
    }
    row += count;
    return values;
  }

  /** The next {@code count} counts, each of which has to be there. */
  long[] requiredCounts(int count) throws IOException {
    long[] values = counts(count);
    for (long value : values) {
      if (value < 0) {
        throw new IOException("a row has no " + name);
      }
    }
    return values;
  }

  /** Adds the next {@code count} byte strings, each of which has to be there. */
  void requiredBytes(int count, PackedBytes.Builder values) throws IOException {
    for (int i = 0; i < count; i++) {
      requirePresent();
      add(values, reader.getBinary());
      reader.consume();
    }
    row += count;
  }

  /** The next {@code count} byte strings. */
  PackedBytes bytes(int count) {
    PackedBytes.Builder values = new PackedBytes.Builder(count);
    for (int i = 0; i < count; i++) {
      if (isPresent()) {
        add(values, reader.getBinary());
      } else {
        values.addAbsent();
      }
      reader.consume();
    }
    row += count;
    return values.build();
  }

  /**
   * The next {@code count} values, each of which has to be there. They repeat: equal ones that
   * follow each other are one object.
   */
  Binary[] repeated(int count) throws IOException {
    Binary[] values = new Binary[count];
    Binary last = null;
    for (int i = 0; i < count; i++) {
      requirePresent();
      Binary value = reader.getBinary();
      if (!value.equals(last)) {
        last = value.copy();
      }
      values[i] = last;
      reader.consume();
    }
    row += count;
    return values;
  }

  private static void add(PackedBytes.Builder values, Binary value) {
    ByteBuffer buffer = value.toByteBuffer();
    if (buffer.hasArray()) {
      values.add(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    } else {
      byte[] copy = value.getBytes();
      values.add(copy, 0, copy.length);
    }
  }

  private boolean isPresent() {
    return reader.getCurrentDefinitionLevel() == presentLevel;
  }

  private void requirePresent() throws IOException {
    if (!isPresent()) {
      throw new IOException("a row has no " + name);
    }
  }
}
