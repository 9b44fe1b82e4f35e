// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.wire;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.Constant;
import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.ColumnDifferenceLeaf;
import io.hudiskip.compile.expression.leaf.ColumnPairLeaf;
import io.hudiskip.compile.expression.leaf.NullTestLeaf;
import io.hudiskip.compile.expression.leaf.QuestionLeaf;
import io.hudiskip.compile.expression.leaf.TermLeaf;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.ExpressionNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
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
      case DIFFERENCE:
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
        return values.isEmpty()
            ? Optional.empty()
            : valueTest(
                operator, column, values.stream().map(ValueRange::of).collect(Collectors.toList()));
      case RANGES:
        return ranges(node).flatMap(ranges -> valueTest(operator, column, ranges));
      default:
        return values.size() == 1
            ? valueTest(
                operator, column, Collections.singletonList(compared(operator, values.get(0))))
            : Optional.empty();
    }
  }

  /** The range of values against which a comparison tests. */
  private static ValueRange compared(Operator operator, byte[] value) {
    switch (operator) {
      case EQ:
      case NE:
        return ValueRange.of(value);
      case LT:
        return new ValueRange(null, false, value, false);
      case LTEQ:
        return new ValueRange(null, false, value, true);
      case GT:
        return new ValueRange(value, false, null, false);
      case GTEQ:
        return new ValueRange(value, true, null, false);
      default:
        throw new IllegalStateException("not a comparison: " + operator);
    }
  }

  /** Binary search needs ascending ranges that do not touch. */
  private static Optional<Leaf> valueTest(
      Operator operator, ReadColumn column, List<ValueRange> ranges) {
    HiveType.Kind kind = column.type().kind();
    return kind != HiveType.Kind.UNENCODED && areInOrder(kind, ranges)
        ? Optional.of(new ValueLeaf(operator, column, ranges))
        : Optional.empty();
  }

  private static boolean areInOrder(HiveType.Kind kind, List<ValueRange> ranges) {
    for (int i = 0; i < ranges.size(); i++) {
      ValueRange range = ranges.get(i);
      if (!isAbsentOrEncoded(kind, range.low())
          || !isAbsentOrEncoded(kind, range.high())
          || !range.isNotEmpty()
          || (i > 0 && !ranges.get(i - 1).precedesApart(range))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAbsentOrEncoded(HiveType.Kind kind, @Nullable byte[] end) {
    return end == null || ValueEncoding.isWellFormed(kind, end);
  }

  /** Empty when a flag is unknown, or does not agree with the ends. */
  private static Optional<List<ValueRange>> ranges(ExpressionNode node) {
    List<byte[]> ends = values(node);
    byte[] bounds = node.isSetBounds() ? node.getBounds() : new byte[0];
    if (ends.size() != 2 * bounds.length) {
      return Optional.empty();
    }
    List<ValueRange> ranges = new ArrayList<>(bounds.length);
    for (int i = 0; i < bounds.length; i++) {
      byte[] low = ends.get(2 * i);
      byte[] high = ends.get(2 * i + 1);
      boolean hasLow = (bounds[i] & HAS_LOW) != 0;
      boolean hasHigh = (bounds[i] & HAS_HIGH) != 0;
      boolean lowIncluded = (bounds[i] & LOW_INCLUDED) != 0;
      boolean highIncluded = (bounds[i] & HIGH_INCLUDED) != 0;
      boolean isKnown = (bounds[i] & ~(HAS_LOW | LOW_INCLUDED | HAS_HIGH | HIGH_INCLUDED)) == 0;
      if (!isKnown
          || (!hasLow && (lowIncluded || low.length > 0))
          || (!hasHigh && (highIncluded || high.length > 0))) {
        return Optional.empty();
      }
      ranges.add(
          new ValueRange(hasLow ? low : null, lowIncluded, hasHigh ? high : null, highIncluded));
    }
    return Optional.of(ranges);
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
    HiveType type = column.get().type();
    HiveType otherType = other.get().type();
    boolean isDifference = operator == Operator.DIFFERENCE;
    boolean fits =
        isDifference
            ? ColumnDifferenceLeaf.canSubtract(type.kind(), otherType.kind())
            : ColumnPairLeaf.canCompare(type.kind(), otherType.kind());
    if (!fits) {
      return Constant.unknown(operator + " of " + type + " and " + otherType);
    }
    return isDifference
        ? difference(column.get(), other.get(), node)
        : new ColumnPairLeaf(operator, column.get(), other.get());
  }

  private static Leaf difference(ReadColumn column, ReadColumn other, ExpressionNode node) {
    return ranges(node)
        .filter(ranges -> areInOrder(ColumnDifferenceLeaf.TYPE.kind(), ranges))
        .<Leaf>map(ranges -> new ColumnDifferenceLeaf(column, other, ranges))
        .orElseGet(() -> Constant.unknown("ranges of DIFFERENCE on column " + column.name()));
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
}
