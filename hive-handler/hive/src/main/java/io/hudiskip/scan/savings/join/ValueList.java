// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.Constant;
import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import io.hudiskip.compile.filter.HiveLiterals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** The values of a join for one column, as a leaf. Immutable. */
public final class ValueList {
  /** Stands for bytes that are not UTF-8, which Hive's strings lose. */
  private static final char REPLACEMENT = '\uFFFD';

  private final int count;
  private final Leaf leaf;

  private ValueList(int count, Leaf leaf) {
    this.count = count;
    this.leaf = leaf;
  }

  /** Whether values of a type can be lists: those that Hive hands over unchanged. */
  public static boolean encodes(HiveType type) {
    return type.kind() == HiveType.Kind.INTEGER
        || type.kind() == HiveType.Kind.DATE
        || type.toString().equals("string");
  }

  /**
   * Reads {@code column IN (values)}.
   *
   * @param values the values, as constants
   * @return empty if one of them says nothing about the column's values
   */
  static Optional<ValueList> of(ExprNodeColumnDesc column, List<ExprNodeDesc> values) {
    return HiveType.parse(column.getTypeString())
        .filter(ValueList::encodes)
        .flatMap(type -> of(new ReadColumn(column.getColumn(), type), values));
  }

  private static Optional<ValueList> of(ReadColumn column, List<ExprNodeDesc> values) {
    return encoded(column.type(), values)
        .map(encoded -> new ValueList(encoded.size(), leaf(column, encoded)));
  }

  private static Leaf leaf(ReadColumn column, List<ValueRange> values) {
    if (values.isEmpty()) {
      // No row has a partner.
      return Constant.never();
    }
    // A row whose value is none of these, or NULL, has no partner.
    return ValueLeaf.ofList(column, values);
  }

  private static Optional<List<ValueRange>> encoded(HiveType type, List<ExprNodeDesc> values) {
    return type.kind() == HiveType.Kind.STRING ? strings(values) : numbers(type, values);
  }

  private static Optional<List<ValueRange>> numbers(HiveType type, List<ExprNodeDesc> values) {
    long[] numbers = new long[values.size()];
    int count = 0;
    for (ExprNodeDesc constant : values) {
      Object value = ((ExprNodeConstantDesc) constant).getValue();
      if (type.kind() == HiveType.Kind.DATE && value instanceof Date) {
        numbers[count++] = ((Date) value).toEpochDay();
      } else if (type.kind() == HiveType.Kind.INTEGER && HiveLiterals.isInteger(value)) {
        numbers[count++] = ((Number) value).longValue();
      } else if (value != null) { // NULL equals nothing
        return Optional.empty();
      }
    }
    Arrays.sort(numbers, 0, count);
    List<ValueRange> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (i == 0 || numbers[i] != numbers[i - 1]) {
        ranges.add(ValueRange.of(ValueEncoding.encodeInteger(numbers[i])));
      }
    }
    return Optional.of(ranges);
  }

  private static Optional<List<ValueRange>> strings(List<ExprNodeDesc> values) {
    List<String> strings = new ArrayList<>(values.size());
    boolean areInOrderOfBytes = true;
    for (ExprNodeDesc constant : values) {
      Object value = ((ExprNodeConstantDesc) constant).getValue();
      if (value == null) {
        continue; // NULL equals nothing
      }
      if (!(value instanceof String)) {
        return Optional.empty();
      }
      String string = (String) value;
      if (string.indexOf(REPLACEMENT) >= 0) {
        return Optional.empty();
      }
      if (hasSurrogates(string)) {
        areInOrderOfBytes = false;
        if (HiveLiterals.unicode(string) == null) {
          return Optional.empty();
        }
      }
      strings.add(string);
    }
    // UTF-16 has the order of UTF-8 but for surrogates; comparing strings is the faster way.
    strings.sort(
        areInOrderOfBytes
            ? Comparator.naturalOrder()
            : Comparator.comparing(ValueEncoding::encodeString, EncodedOrder::compare));
    List<ValueRange> ranges = new ArrayList<>(strings.size());
    String last = null;
    for (String string : strings) {
      if (!string.equals(last)) {
        ranges.add(ValueRange.of(ValueEncoding.encodeString(string)));
      }
      last = string;
    }
    return Optional.of(ranges);
  }

  private static boolean hasSurrogates(String string) {
    for (int i = 0; i < string.length(); i++) {
      if (Character.isSurrogate(string.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** Number of different values. */
  int count() {
    return count;
  }

  Leaf leaf() {
    return leaf;
  }
}
