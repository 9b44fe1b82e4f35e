// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import io.hudiskip.compile.statistics.ColumnStatistics;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.api.Binary;

/** One pass over a Parquet column of a row group, in spans of rows. */
public final class FieldReader {
  private final String name;
  private final ColumnChunk chunk;
  private DataPage page;
  private int rowOfPage;
  private long row;

  FieldReader(String name, ColumnChunk chunk) throws IOException {
    this.name = name;
    this.chunk = chunk;
    this.page = chunk.next();
  }

  /** Skips to a row not yet passed. */
  void moveTo(long nextRow) throws IOException {
    while (row < nextRow) {
      turnPage();
      int end = (int) Math.min(page.rows(), rowOfPage + nextRow - row);
      page.skip(rowOfPage, end);
      row += end - rowOfPage;
      rowOfPage = end;
    }
  }

  /** The next {@code count} values, none NULL. */
  public int[] ints(int count) throws IOException {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      requirePresent();
      values[i] = page.values().readInteger();
    }
    return values;
  }

  /** The next {@code count} counts; {@link ColumnStatistics#UNKNOWN_COUNT} for NULL. */
  public long[] counts(int count) throws IOException {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = next() ? page.values().readLong() : ColumnStatistics.UNKNOWN_COUNT;
    }
    return values;
  }

  /** The next {@code count} counts, none NULL. */
  public long[] requiredCounts(int count) throws IOException {
    long[] values = counts(count);
    for (long value : values) {
      if (value < 0) {
        throw new IOException("a row has no " + name);
      }
    }
    return values;
  }

  /** Adds the next {@code count} byte strings, none NULL. */
  public void requiredBytes(int count, PackedBytes.Builder values) throws IOException {
    for (int i = 0; i < count; i++) {
      requirePresent();
      add(values, page.values().readBytes());
    }
  }

  public PackedBytes bytes(int count) throws IOException {
    PackedBytes.Builder values = new PackedBytes.Builder(count);
    for (int i = 0; i < count; i++) {
      if (next()) {
        add(values, page.values().readBytes());
      } else {
        values.addAbsent();
      }
    }
    return values.build();
  }

  /** The next {@code count} values, none NULL, as runs. */
  public Runs runs(int count) throws IOException {
    Runs runs = new Runs();
    for (int read = 0; read < count; ) {
      requirePresent();
      // requirePresent() has passed the row.
      int repeats = Math.min(count - read, page.repeats(rowOfPage - 1));
      runs.add(page.values().readBytes(), repeats);
      page.skip(rowOfPage, rowOfPage + repeats - 1);
      rowOfPage += repeats - 1;
      row += repeats - 1;
      read += repeats;
    }
    return runs;
  }

  private static void add(PackedBytes.Builder values, Binary value) {
    // Row groups are read into arrays, so every value lies in one.
    ByteBuffer buffer = value.toByteBuffer();
    values.add(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
  }

  /** Moves to the next row and returns whether it has a value. */
  private boolean next() throws IOException {
    turnPage();
    row++;
    return page.isPresent(rowOfPage++);
  }

  private void requirePresent() throws IOException {
    if (!next()) {
      throw new IOException("a row has no " + name);
    }
  }

  private void turnPage() throws IOException {
    while (rowOfPage == page.rows()) {
      page = chunk.next();
      rowOfPage = 0;
    }
  }
}
