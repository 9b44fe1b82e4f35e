// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.LiteralText;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.ColumnOfFiles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;

/**
 * The files that may have one of a scan's {@link FirstRows}, by bounds and counts of the column.
 * Immutable.
 *
 * <p>The threshold is the first value, in the statement's order, at or before which there are at
 * least as many rows as the statement takes. A file is skipped if all of its rows come after the
 * threshold. Rows that are equal to it are kept, so that the statement chooses among the same rows.
 */
public final class FirstFiles {
  /**
   * How much later the reader may show the earlier of two instants. Hive's readers show each by a
   * {@code ZoneOffset} of the JVM's zone or as stored ({@code ParquetTimestampUtils}), and no
   * {@code ZoneOffset} is above 18 hours or below -18.
   */
  private static final long MOST_SHIFT_MICROS = TimeUnit.HOURS.toMicros(2 * 18);

  private final FirstRows rows;
  private final BitSet kept;

  /** Null if it is not known. */
  @Nullable private final byte[] last;

  private FirstFiles(FirstRows rows, BitSet kept, @Nullable byte[] last) {
    this.rows = rows;
    this.kept = kept;
    this.last = last;
  }

  /**
   * Chooses files.
   *
   * @param files all that the scan may read
   * @param whole bit {@code i} is set when the scan reads no row in place of {@code files.get(i)}
   *     but rows of that file; the other files are kept
   * @param counted those of them in which the statement orders every row; only these say how many
   *     rows there are
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  public static FirstFiles of(
      FirstRows rows, StatisticsIndex index, List<BaseFile> files, BitSet whole, BitSet counted)
      throws IndexUnavailableException {
    // An index that knows of no row to count is not asked for the column.
    return counted.isEmpty()
        ? of(rows, Collections.nCopies(files.size(), Optional.empty()), whole, counted)
        : of(rows, ColumnOfFiles.read(index, rows.column(), files), whole, counted);
  }

  static FirstFiles of(
      FirstRows rows, List<Optional<ColumnStatistics>> files, BitSet whole, BitSet counted) {
    Order order = new Order(rows);
    byte[] last = order.lastNeeded(files, counted);
    BitSet kept = new BitSet();
    for (int i = 0; i < files.size(); i++) {
      boolean isAfter =
          whole.get(i)
              && last != null
              && files.get(i).isPresent()
              && order.isAfter(files.get(i).get(), last);
      kept.set(i, !isAfter);
    }
    return new FirstFiles(rows, kept, last);
  }

  /** Positions of the files that must be read. */
  public BitSet kept() {
    return (BitSet) kept.clone();
  }

  /** For the log. */
  @Override
  public String toString() {
    return last == null
        ? rows + ": any value"
        : String.format(
            "%s: %s %s",
            rows, rows.isDescending() ? ">=" : "<=", LiteralText.of(rows.column().type(), last));
  }

  /** The order of rows, as far as it is that of the column. */
  private static final class Order {
    private final FirstRows rows;
    private final Comparator<byte[]> values;

    Order(FirstRows rows) {
      this.rows = rows;
      this.values =
          rows.isDescending() ? EncodedOrder.COMPARATOR.reversed() : EncodedOrder.COMPARATOR;
    }

    /** No value of the file is before it. */
    @Nullable
    private byte[] start(ColumnStatistics file) {
      return rows.isDescending() ? file.upper() : file.lower();
    }

    /** No value of the file is after it. */
    @Nullable
    private byte[] end(ColumnStatistics file) {
      return rows.isDescending() ? file.lower() : file.upper();
    }

    /** A value that enough rows are not after; null if there is none. */
    @Nullable
    byte[] lastNeeded(List<Optional<ColumnStatistics>> files, BitSet among) {
      List<ColumnStatistics> counted = new ArrayList<>();
      among.stream()
          .mapToObj(files::get)
          .forEach(
              file ->
                  file.filter(known -> end(known) != null && rowsWithValue(known) > 0)
                      .ifPresent(counted::add));
      counted.sort(Comparator.comparing(this::end, values));
      long missing = rows.count();
      for (ColumnStatistics file : counted) {
        missing -= Math.min(missing, rowsWithValue(file));
        if (missing == 0) {
          // Each row counted so far has a value that is not after the end of this file.
          byte[] last = latestShown(end(file));
          return last == null || isCertain(last) ? last : null;
        }
      }
      return null;
    }

    /** Whether values after this one are so wherever Hive compares them. */
    private boolean isCertain(byte[] value) {
      return !rows.isInEveryOrder()
          || rows.column().type().kind() != HiveType.Kind.STRING
          || EncodedOrder.isSameInUtf16(value);
    }

    private static long rowsWithValue(ColumnStatistics file) {
      boolean areKnown =
          file.valueCount() != ColumnStatistics.UNKNOWN_COUNT
              && file.nullCount() != ColumnStatistics.UNKNOWN_COUNT;
      return areKnown ? file.valueCount() - file.nullCount() : 0;
    }

    @Nullable
    private byte[] latestShown(byte[] stored) {
      if (rows.column().type().kind() != HiveType.Kind.TIMESTAMP) {
        return stored;
      }
      try {
        return ValueEncoding.encodeTimestamp(
            Math.addExact(
                ValueEncoding.decodeInteger(stored),
                rows.isDescending() ? -MOST_SHIFT_MICROS : MOST_SHIFT_MICROS));
      } catch (ArithmeticException e) {
        return null; // nothing is later
      }
    }

    /** Whether each row of a file is strictly after a value. */
    boolean isAfter(ColumnStatistics file, byte[] value) {
      if (!rows.areNullsLast() && file.nullCount() != 0) {
        return false; // a NULL is before every value
      }
      if (file.isAllNull()) {
        return true; // NULLs are after every value, or the file has no row
      }
      // No value is before the start; if there are NULLs, they are after every value.
      return start(file) != null && values.compare(start(file), value) > 0;
    }
  }
}
