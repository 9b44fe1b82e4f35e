// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * A manifest's entry for one row group: its {@link Section}, rows, and ranges of columns and files.
 * Immutable.
 */
public final class RowGroupEntry {
  /** The kind of rows that say which base files there are, by ordinal. */
  public static final String FILES = "files";

  /** The kind of rows with bounds and counts of a column in a base file. */
  public static final String RANGE = "range";

  private final String kind;
  private final Section section;
  private final int[] chunkEnds;
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
   * @param kind {@link #FILES}, {@link #RANGE} or an index kind's name
   * @param chunkEnds end of each column chunk, relative to the group; kept, not copied
   * @param block statistics of its only column over all files of that range, each of which has a
   *     row
   */
  RowGroupEntry(
      String kind,
      Section section,
      int[] chunkEnds,
      long rows,
      String firstColumn,
      String lastColumn,
      int firstFile,
      int lastFile,
      Optional<ColumnStatistics> block) {
    this.kind = kind;
    this.section = section;
    this.chunkEnds = chunkEnds;
    this.rows = rows;
    this.firstColumn = ValueEncoding.encodeString(firstColumn);
    this.lastColumn = ValueEncoding.encodeString(lastColumn);
    this.firstFile = firstFile;
    this.lastFile = lastFile;
    this.block = block;
  }

  /** A group of a kind that this reader does not know, and therefore never reads. */
  static RowGroupEntry ofUnknownKind(String kind, Section section, long rows) {
    return new RowGroupEntry(kind, section, new int[0], rows, "", "", 0, 0, Optional.empty());
  }

  public String kind() {
    return kind;
  }

  public Section section() {
    return section;
  }

  /** End of each column chunk, relative to the group; must not be changed. */
  public int[] chunkEnds() {
    return chunkEnds;
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
