/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.index.parquet.ColumnChunks;
import io.hudiskip.statistics.ColumnStatistics;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * What a manifest says of one row group of a {@link RecordKind}: a {@link Section}, its rows, the
 * range of its columns and of its files. Immutable.
 */
public final class RowGroupEntry {
  private final Optional<RecordKind> kind;
  private final Section section;
  private final ColumnChunks chunks;
  private final long rows;
  private final byte[] firstColumn;
  private final byte[] lastColumn;
  private final int firstFile;
  private final int lastFile;
  private final Optional<ColumnStatistics> block;

  private RowGroupEntry(
      Optional<RecordKind> kind,
      Section section,
      ColumnChunks chunks,
      long rows,
      String firstColumn,
      String lastColumn,
      int firstFile,
      int lastFile,
      Optional<ColumnStatistics> block) {
    this.kind = kind;
    this.section = section;
    this.chunks = chunks;
    this.rows = rows;
    this.firstColumn = ValueEncoding.encodeString(firstColumn);
    this.lastColumn = ValueEncoding.encodeString(lastColumn);
    this.firstFile = firstFile;
    this.lastFile = lastFile;
    this.block = block;
  }

  /** A group of a kind that this reader does not know, and leaves alone. */
  static RowGroupEntry ofUnknownKind(Section section, long rows) {
    ColumnChunks unread = new ColumnChunks(new int[0]);
    return new RowGroupEntry(
        Optional.empty(), section, unread, rows, "", "", 0, 0, Optional.empty());
  }

  /**
   * A group of a known kind.
   *
   * @param firstFile least ordinal of a base file in it
   * @param lastFile greatest one
   * @param block what is known of the values of its only column in all files of that range
   *     together, every one of which has a row in it
   */
  static RowGroupEntry of(
      RecordKind kind,
      Section section,
      ColumnChunks chunks,
      long rows,
      String firstColumn,
      String lastColumn,
      int firstFile,
      int lastFile,
      Optional<ColumnStatistics> block) {
    return new RowGroupEntry(
        Optional.of(kind),
        section,
        chunks,
        rows,
        firstColumn,
        lastColumn,
        firstFile,
        lastFile,
        block);
  }

  boolean isOf(RecordKind wanted) {
    return kind.isPresent() && kind.get().equals(wanted);
  }

  /** Where its bytes are, and what their checksum is. */
  public Section section() {
    return section;
  }

  /** Where each column is in it. */
  public ColumnChunks chunks() {
    return chunks;
  }

  /** Number of rows. */
  public long rows() {
    return rows;
  }

  /** Least ordinal of a base file in it. */
  public int firstFile() {
    return firstFile;
  }

  /** Greatest ordinal of a base file in it. */
  public int lastFile() {
    return lastFile;
  }

  /** What is known of its column in all of its files together; empty if nothing is. */
  public Optional<ColumnStatistics> block() {
    return block;
  }

  /** Whether all of its rows are of one column. */
  public boolean hasOneColumn() {
    return Arrays.equals(firstColumn, lastColumn);
  }

  /** Whether rows of that column can be in the group; rows are sorted by the bytes of the name. */
  public boolean mayHold(String column) {
    byte[] name = ValueEncoding.encodeString(column);
    return EncodedOrder.compare(firstColumn, name) <= 0
        && EncodedOrder.compare(name, lastColumn) <= 0;
  }

  /** Whether rows of one of these files can be in the group. */
  public boolean mayHoldAny(BitSet ordinals) {
    int next = ordinals.nextSetBit(firstFile);
    return next >= 0 && next <= lastFile;
  }
}
