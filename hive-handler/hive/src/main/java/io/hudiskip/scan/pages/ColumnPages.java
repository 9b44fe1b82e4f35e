// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.pages;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * What a Parquet file says about a column's values in one row group, page by page: by its column
 * index, or, if there is none, by the chunk's statistics as those of one page. Immutable.
 */
final class ColumnPages {
  /** Position of each page's first row; ascends from 0. */
  private final long[] firstRows;

  private final Page[] pages;

  private ColumnPages(long[] firstRows, Page[] pages) {
    this.firstRows = firstRows;
    this.pages = pages;
  }

  /**
   * Reads them.
   *
   * @param rows of the row group
   * @return empty if the chunk has no statistics, or its column index contradicts them
   */
  static Optional<ColumnPages> read(
      ParquetFileReader file, ColumnChunkMetaData chunk, StoredBounds stored, long rows)
      throws IOException {
    Page whole = Page.of(chunk, stored, rows);
    if (whole == null) {
      return Optional.empty();
    }
    if (chunk.getColumnIndexReference() == null || chunk.getOffsetIndexReference() == null) {
      return Optional.of(new ColumnPages(new long[1], new Page[] {whole}));
    }
    PrimitiveTypeName physical = chunk.getPrimitiveType().getPrimitiveTypeName();
    ColumnIndex index = file.readColumnIndex(chunk);
    OffsetIndex offsets = file.readOffsetIndex(chunk);
    if (index == null || offsets == null) {
      return Optional.empty();
    }
    Page[] pages = Page.of(index, stored, physical);
    long[] firstRows = new long[pages.length];
    if (offsets.getPageCount() != pages.length) {
      return Optional.empty();
    }
    Arrays.setAll(firstRows, offsets::getFirstRowIndex);
    return isSplit(firstRows, rows) && agree(pages, whole)
        ? Optional.of(new ColumnPages(firstRows, pages))
        : Optional.empty();
  }

  private static boolean isSplit(long[] firstRows, long rows) {
    for (int i = 0; i < firstRows.length; i++) {
      boolean follows = i == 0 ? firstRows[i] == 0 : firstRows[i] > firstRows[i - 1];
      if (!follows || firstRows[i] >= rows) {
        return false;
      }
    }
    return firstRows.length > 0;
  }

  /** Whether the pages may have all values and NULLs that the chunk has. */
  private static boolean agree(Page[] pages, Page whole) {
    boolean hasValues = false;
    boolean hasLower = false;
    boolean hasUpper = false;
    boolean hasNulls = false;
    for (Page page : pages) {
      hasValues |= !page.isAllNull;
      hasNulls |= !page.isWithoutNull;
      // A bound that proves nothing might be any value.
      hasLower |= !page.isAllNull && (!page.isBounded() || isUpTo(page.lower, whole.lower));
      hasUpper |= !page.isAllNull && (!page.isBounded() || isUpTo(whole.upper, page.upper));
    }
    return (whole.isAllNull ? !hasValues : hasLower && hasUpper)
        && (whole.isWithoutNull || hasNulls);
  }

  private static boolean isUpTo(@Nullable byte[] low, @Nullable byte[] high) {
    return low == null || high == null || EncodedOrder.compare(low, high) <= 0;
  }

  /** Positions of the pages' first rows. */
  long[] firstRows() {
    return firstRows.clone();
  }

  /**
   * What is known of rows that are in one page.
   *
   * @param first position of the first of them
   * @param rows their number
   */
  ColumnStatistics of(long first, long rows, StoredBounds stored) {
    int found = Arrays.binarySearch(firstRows, first);
    return pages[found >= 0 ? found : -found - 2].statistics(rows, stored);
  }

  /** One page, or a whole chunk. Both bounds are null if one is missing or proves nothing. */
  private static final class Page {
    private final boolean isAllNull;
    private final boolean isWithoutNull;
    @Nullable private final byte[] lower;
    @Nullable private final byte[] upper;

    private Page(
        boolean isAllNull, boolean isWithoutNull, @Nullable byte[] lower, @Nullable byte[] upper) {
      this.isAllNull = isAllNull;
      this.isWithoutNull = isWithoutNull;
      // A bound in a place where writers and Hive disagree makes the other one doubtful as well.
      boolean isBounded = lower != null && upper != null && EncodedOrder.compare(lower, upper) <= 0;
      this.lower = isBounded ? lower : null;
      this.upper = isBounded ? upper : null;
    }

    /** Those of a chunk; null if it has none, or counts other rows than its row group. */
    @Nullable
    static Page of(ColumnChunkMetaData chunk, StoredBounds stored, long rows) {
      Statistics<?> known = chunk.getStatistics();
      if (known == null || !known.isNumNullsSet() || chunk.getValueCount() != rows) {
        return null;
      }
      if (known.getNumNulls() == rows) {
        return new Page(true, false, null, null);
      }
      if (!known.hasNonNullValue()) {
        return null;
      }
      PrimitiveTypeName physical = chunk.getPrimitiveType().getPrimitiveTypeName();
      return new Page(
          false,
          known.getNumNulls() == 0,
          stored.encode(physical, known.getMinBytes()),
          stored.encode(physical, known.getMaxBytes()));
    }

    static Page[] of(ColumnIndex index, StoredBounds stored, PrimitiveTypeName physical) {
      List<Boolean> nullPages = index.getNullPages();
      List<Long> nullCounts = index.getNullCounts();
      boolean areCounted = nullCounts != null && nullCounts.size() == nullPages.size();
      Page[] pages = new Page[nullPages.size()];
      for (int i = 0; i < pages.length; i++) {
        boolean isAllNull = nullPages.get(i);
        pages[i] =
            new Page(
                isAllNull,
                areCounted && !isAllNull && nullCounts.get(i) == 0,
                isAllNull ? null : stored.encode(physical, bytes(index.getMinValues().get(i))),
                isAllNull ? null : stored.encode(physical, bytes(index.getMaxValues().get(i))));
      }
      return pages;
    }

    private static byte[] bytes(ByteBuffer value) {
      byte[] bytes = new byte[value.remaining()];
      value.duplicate().get(bytes);
      return bytes;
    }

    boolean isBounded() {
      return lower != null;
    }

    /** Of some of its rows: what holds for each row, and not how many there are of a kind. */
    ColumnStatistics statistics(long rows, StoredBounds stored) {
      long nulls = isAllNull ? rows : isWithoutNull ? 0 : ColumnStatistics.UNKNOWN_COUNT;
      return new ColumnStatistics(
          Optional.of(stored.type()), lower, upper, nulls, rows, ColumnStatistics.UNKNOWN_COUNT);
    }
  }
}
