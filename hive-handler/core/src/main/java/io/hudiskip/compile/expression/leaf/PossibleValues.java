// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.Content;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The values that a column may have in the rows of a file, where they can be listed. */
public final class PossibleValues {
  private static final byte[] FLOAT_ZERO = ValueEncoding.encodeDouble(0.0);

  private PossibleValues() {}

  /**
   * Lists the values, exactly as Hive reads them.
   *
   * <p>Proof: each row's value is NULL, counted by the null count, or one of a complete set of the
   * file's values, or lies between the bounds; between two integers or days lie only those listed.
   *
   * @param type that the column is read as
   * @param most the greatest length of the list
   * @return values in the encoding of the kind, null for NULL; empty if they cannot be listed
   */
  public static Optional<List<byte[]>> of(HiveType type, ColumnStatistics known, int most) {
    if (known.nullCount() == ColumnStatistics.UNKNOWN_COUNT || known.valueCount() <= 0) {
      return Optional.empty();
    }
    List<byte[]> listed = new ArrayList<>();
    if (known.nullCount() > 0) {
      listed.add(null);
    }
    if (!known.isAllNull()) {
      Optional<List<byte[]>> values = present(type.kind(), known, most - listed.size());
      if (!values.isPresent() || !areExact(type, values.get(), known)) {
        return Optional.empty();
      }
      listed.addAll(values.get());
    }
    return Optional.of(listed);
  }

  private static Optional<List<byte[]>> present(
      HiveType.Kind kind, ColumnStatistics known, int most) {
    if (Bounds.areEqual(known.lower(), known.upper())) {
      return Optional.of(Collections.singletonList(known.lower()));
    }
    for (Content content : known.contents().values()) {
      Optional<List<byte[]>> values = content.allValues();
      if (values.isPresent() && values.get().size() <= most) {
        return values;
      }
    }
    boolean isCounted = kind == HiveType.Kind.INTEGER || kind == HiveType.Kind.DATE;
    return isCounted ? between(kind, known.lower(), known.upper(), most) : Optional.empty();
  }

  private static Optional<List<byte[]>> between(
      HiveType.Kind kind, byte[] lower, byte[] upper, int most) {
    if (lower == null
        || upper == null
        || !ValueEncoding.isWellFormed(kind, lower)
        || !ValueEncoding.isWellFormed(kind, upper)) {
      return Optional.empty();
    }
    long first = ValueEncoding.decodeInteger(lower);
    long last = ValueEncoding.decodeInteger(upper);
    if (first > last || last - first < 0 || last - first >= most) { // the difference may overflow
      return Optional.empty();
    }
    List<byte[]> values = new ArrayList<>();
    for (long distance = 0; distance <= last - first; distance++) {
      values.add(ValueEncoding.encodeInteger(first + distance));
    }
    return Optional.of(values);
  }

  /** Whether Hive reads exactly the values that the bytes encode, and no others. */
  private static boolean areExact(HiveType type, List<byte[]> values, ColumnStatistics known) {
    HiveType.Kind kind = type.kind();
    if (kind == HiveType.Kind.TIMESTAMP) {
      // The reader's zone shifts the stored instant.
      return false;
    }
    if (kind == HiveType.Kind.FLOAT && known.nanCount() != 0) {
      // Statistics exclude NaN.
      return false;
    }
    for (byte[] value : values) {
      // 0.0 also stands for -0.0.
      boolean isAmbiguous =
          kind == HiveType.Kind.FLOAT && EncodedOrder.compare(value, FLOAT_ZERO) == 0;
      if (isAmbiguous || !ValueEncoding.isWellFormed(kind, value) || !isWhole(type, value)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a varchar or char is surely the stored string. Readers of rows cut it to length and
   * strip the blanks at the end of a char; Hive's vectorized reader of Parquet leaves them.
   */
  private static boolean isWhole(HiveType type, byte[] value) {
    if (!type.length().isPresent()) {
      return true;
    }
    String text = ValueEncoding.decodeString(value);
    return text.codePointCount(0, text.length()) <= type.length().getAsInt() && !text.endsWith(" ");
  }
}
