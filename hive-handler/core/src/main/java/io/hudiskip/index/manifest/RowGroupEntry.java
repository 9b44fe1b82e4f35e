// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.index.parquet.ColumnChunks;
import io.hudiskip.statistics.ColumnStatistics;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * A manifest's entry for one row group: its {@link Section}, rows, and ranges of columns and files.
 * Immutable.
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

  /**
   * Describes a group. {@code firstFile} and {@code lastFile} are the least and greatest ordinals
   * of its base files.
   *
   * @param kind empty if this reader does not know it; the group is then never read
   * @param block statistics of its only column over all files of that range, each of which has a
   *     row
   */
  RowGroupEntry(
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

  static RowGroupEntry ofUnknownKind(Section section, long rows) {
    ColumnChunks unread = new ColumnChunks(new int[0]);
    return new RowGroupEntry(
        Optional.empty(), section, unread, rows, "", "", 0, 0, Optional.empty());
  }

  boolean isOf(RecordKind wanted) {
    return kind.isPresent() && kind.get().equals(wanted);
  }

  public Section section() {
    return section;
  }

  public ColumnChunks chunks() {
    return chunks;
  }

  public long rows() {
    return rows;
  }

  /** Least ordinal of a base file. */
  public int firstFile() {
    return firstFile;
  }

  /** Greatest ordinal of a base file. */
  public int lastFile() {
    return lastFile;
  }

  /** Statistics of its column over all of its files; empty if there are none. */
  public Optional<ColumnStatistics> block() {
    return block;
  }

  public boolean hasOneColumn() {
    return Arrays.equals(firstColumn, lastColumn);
  }

  /** Whether the group may contain rows of that column; rows are sorted by the name's bytes. */
  public boolean mayHold(String column) {
    byte[] name = ValueEncoding.encodeString(column);
    return EncodedOrder.compare(firstColumn, name) <= 0
        && EncodedOrder.compare(name, lastColumn) <= 0;
  }

  /** Whether the group may contain rows of any of these files. */
  public boolean mayHoldAny(BitSet ordinals) {
    int next = ordinals.nextSetBit(firstFile);
    return next >= 0 && next <= lastFile;
  }
}
