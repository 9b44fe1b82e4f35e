// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.wire;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.Constant;
import io.hudiskip.expression.Leaf;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.leaf.ColumnPairLeaf;
import io.hudiskip.expression.leaf.ComparisonLeaf;
import io.hudiskip.expression.leaf.MembershipLeaf;
import io.hudiskip.expression.leaf.NullTestLeaf;
import io.hudiskip.expression.leaf.QuestionLeaf;
import io.hudiskip.expression.leaf.RangesLeaf;
import io.hudiskip.expression.leaf.TermLeaf;
import io.hudiskip.expression.leaf.ValueRange;
import io.hudiskip.kind.IndexKinds;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.ExpressionNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.thrift.TBaseHelper;

/** Decodes leaves; a leaf that does not fit its operator becomes UNKNOWN. */
final class LeafDecoder {
  private static final int HAS_LOW = 1;
  private static final int LOW_INCLUDED = 2;
  private static final int HAS_HIGH = 4;
  private static final int HIGH_INCLUDED = 8;

  private LeafDecoder() {}

  static Leaf decode(Operator operator, ExpressionNode node) {
    switch (operator) {
      case TERM:
        return term(node);
      case QUESTION:
        return question(node);
      case EQ_COLUMN:
      case NE_COLUMN:
      case LT_COLUMN:
      case LTEQ_COLUMN:
        return columnPair(operator, node);
      default:
        return columnTest(operator, node);
    }
  }

  private static Leaf columnTest(Operator operator, ExpressionNode node) {
    Optional<ReadColumn> column = column(node.getColumn(), node.getType());
    if (!column.isPresent()) {
      return unreadable(operator, node.getColumn(), node.getType());
    }
    List<byte[]> values = values(node);
    return fitting(operator, column.get(), values, node)
        .orElseGet(
            () -> Constant.unknown("values of " + operator + " on column " + column.get().name()));
  }

  private static Optional<Leaf> fitting(
      Operator operator, ReadColumn column, List<byte[]> values, ExpressionNode node) {
    switch (operator) {
      case IS_NULL:
      case IS_NOT_NULL:
        return values.isEmpty()
            ? Optional.of(new NullTestLeaf(operator, column))
            : Optional.empty();
      case IN:
      case NOT_IN:
        // Binary search needs strictly ascending values.
        return !values.isEmpty() && areAscending(column, values)
            ? Optional.of(new MembershipLeaf(operator, column, values))
            : Optional.empty();
      case RANGES:
        return ranges(column, values, node.isSetBounds() ? node.getBounds() : new byte[0]);
      default:
        return values.size() == 1 && isEncoded(column, values.get(0))
            ? Optional.of(new ComparisonLeaf(operator, column, values.get(0)))
            : Optional.empty();
    }
  }

  private static boolean areAscending(ReadColumn column, List<byte[]> values) {
    for (int i = 0; i < values.size(); i++) {
      if (!isEncoded(column, values.get(i))
          || (i > 0 && EncodedOrder.compare(values.get(i - 1), values.get(i)) >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** Binary search needs ascending ranges that do not touch. */
  private static Optional<Leaf> ranges(ReadColumn column, List<byte[]> ends, byte[] bounds) {
    if (ends.size() != 2 * bounds.length || column.type().kind() == HiveType.Kind.UNENCODED) {
      return Optional.empty();
    }
    List<ValueRange> ranges = new ArrayList<>(bounds.length);
    for (int i = 0; i < bounds.length; i++) {
      Optional<ValueRange> range = range(column, ends.get(2 * i), ends.get(2 * i + 1), bounds[i]);
      if (!range.isPresent() || (i > 0 && !ranges.get(i - 1).precedesApart(range.get()))) {
        return Optional.empty();
      }
      ranges.add(range.get());
    }
    return Optional.of(new RangesLeaf(column, ranges));
  }

  private static Optional<ValueRange> range(
      ReadColumn column, byte[] low, byte[] high, byte flags) {
    boolean hasLow = (flags & HAS_LOW) != 0;
    boolean hasHigh = (flags & HAS_HIGH) != 0;
    boolean lowIncluded = (flags & LOW_INCLUDED) != 0;
    boolean highIncluded = (flags & HIGH_INCLUDED) != 0;
    boolean isKnown = (flags & ~(HAS_LOW | LOW_INCLUDED | HAS_HIGH | HIGH_INCLUDED)) == 0;
    if (!isKnown
        || (lowIncluded && !hasLow)
        || (highIncluded && !hasHigh)
        || !(hasLow ? isEncoded(column, low) : low.length == 0)
        || !(hasHigh ? isEncoded(column, high) : high.length == 0)) {
      return Optional.empty();
    }
    ValueRange range =
        new ValueRange(hasLow ? low : null, lowIncluded, hasHigh ? high : null, highIncluded);
    return range.isNotEmpty() ? Optional.of(range) : Optional.empty();
  }

  private static Leaf columnPair(Operator operator, ExpressionNode node) {
    Optional<ReadColumn> column = column(node.getColumn(), node.getType());
    if (!column.isPresent()) {
      return unreadable(operator, node.getColumn(), node.getType());
    }
    Optional<ReadColumn> other = column(node.getOtherColumn(), node.getOtherType());
    if (!other.isPresent()) {
      return unreadable(operator, node.getOtherColumn(), node.getOtherType());
    }
    HiveType.Kind kind = column.get().type().kind();
    if (kind == HiveType.Kind.UNENCODED || kind != other.get().type().kind()) {
      return Constant.unknown(
          operator + " of " + column.get().type() + " and " + other.get().type());
    }
    return new ColumnPairLeaf(operator, column.get(), other.get());
  }

  private static Leaf term(ExpressionNode node) {
    List<ReadColumn> columns = columns(node);
    if (columns.isEmpty()) {
      return Constant.unknown("columns of TERM " + node.getTerm());
    }
    int outcomes = node.getOutcomes();
    if (!node.isSetTerm()
        || node.getTerm() < 0
        || outcomes < 1
        || outcomes > TermLeaf.ALL_OUTCOMES) {
      return Constant.unknown("TERM " + node.getTerm() + " with outcomes " + outcomes);
    }
    return new TermLeaf(node.getTerm(), outcomes, columns);
  }

  private static Leaf question(ExpressionNode node) {
    List<ReadColumn> columns = columns(node);
    String kind = node.isSetKind() ? node.getKind() : "";
    if (kind.isEmpty()
        || columns.isEmpty()
        || !columns.stream().allMatch(LeafDecoder::isShownAsStored)) {
      return Constant.unknown("kind or columns of QUESTION to " + kind);
    }
    // The records of an unknown kind are not read and files are kept; this look-up logs it.
    IndexKinds.named(kind);
    byte[] question = node.isSetQuestion() ? node.getQuestion() : new byte[0];
    return QuestionLeaf.of(kind, question, columns)
        .orElseGet(() -> Constant.unknown("columns of QUESTION to " + kind));
  }

  /** Whether Hive shows the column's values as stored, and its name denotes one column. */
  private static boolean isShownAsStored(ReadColumn column) {
    switch (column.type().kind()) {
      case UNENCODED:
      case TIMESTAMP:
        return false;
      case STRING:
        // Hive cuts a varchar and pads a char.
        return column.type().toString().equals("string") && hasSingleName(column);
      default:
        return hasSingleName(column);
    }
  }

  private static boolean hasSingleName(ReadColumn column) {
    return !column.name().contains(QuestionLeaf.SEPARATOR);
  }

  /** The columns of a TERM or a QUESTION; empty when one is repeated or not understood. */
  private static List<ReadColumn> columns(ExpressionNode node) {
    List<ReadColumn> columns = new ArrayList<>(node.getTermColumnsSize());
    Set<String> names = new HashSet<>();
    if (node.isSetTermColumns()) {
      for (ColumnSchema schema : node.getTermColumns()) {
        Optional<ReadColumn> column = column(schema.getName(), schema.getType());
        if (!column.isPresent() || !names.add(column.get().name())) {
          return Collections.emptyList();
        }
        columns.add(column.get());
      }
    }
    return Collections.unmodifiableList(columns);
  }

  /** Empty when the name is missing, or the type is missing or unknown. */
  private static Optional<ReadColumn> column(String name, String type) {
    if (name == null || name.isEmpty() || type == null) {
      return Optional.empty();
    }
    return HiveType.parse(type).map(parsed -> new ReadColumn(name, parsed));
  }

  private static Leaf unreadable(Operator operator, String column, String type) {
    return column == null || column.isEmpty() || type == null
        ? Constant.unknown(operator + " without a column or a type")
        : Constant.unknown("type " + type + " of column " + column);
  }

  private static List<byte[]> values(ExpressionNode node) {
    List<byte[]> values = new ArrayList<>(node.getValuesSize());
    if (node.isSetValues()) {
      for (ByteBuffer value : node.getValues()) {
        values.add(TBaseHelper.byteBufferToByteArray(value));
      }
    }
    return values;
  }

  private static boolean isEncoded(ReadColumn column, byte[] value) {
    return ValueEncoding.isWellFormed(column.type().kind(), value);
  }
}
