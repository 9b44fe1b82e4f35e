/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import io.hudiskip.expression.decoder.BoundedCompactProtocol;
import io.hudiskip.plan.KeyLayout;
import io.hudiskip.plan.PartitionFilter;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.HudiExpression;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.thrift.TBaseHelper;
import org.apache.thrift.TException;

/**
 * As much of a plan's filter as HBase's own filters express: comparisons of one column with
 * constants, under AND and OR. The client evaluates the whole filter once more, so that what is
 * left out here only brings more rows. A comparison is TRUE for no NULL.
 */
final class ServerFilter {
  /** Longer lists are for the client: the server would compare each row with each of them. */
  private static final int MOST_COMPARISONS = 200;

  private final KeyLayout layout;
  private int comparisons;

  private ServerFilter(KeyLayout layout) {
    this.layout = layout;
  }

  /** A filter that passes at least the rows whose partitions meet a plan's filter. */
  static Optional<Filter> of(PartitionFilter filter, KeyLayout layout) {
    HudiExpression message = new HudiExpression();
    try {
      BoundedCompactProtocol.read(filter.bytes(), message);
    } catch (TException e) {
      throw new IllegalStateException("a filter that was read before cannot be read", e);
    }
    ServerFilter server = new ServerFilter(layout);
    Filter found = server.translate(message.getNodes());
    return server.comparisons > MOST_COMPARISONS ? Optional.empty() : Optional.ofNullable(found);
  }

  /** Post-order, as the expression's nodes are; null passes every row. */
  @Nullable
  private Filter translate(List<ExpressionNode> nodes) {
    Deque<Optional<Filter>> done = new ArrayDeque<>();
    for (ExpressionNode node : nodes) {
      ExpressionOperator operator = ExpressionOperator.findByValue(node.getOperator());
      List<Filter> children = new ArrayList<>();
      for (int i = 0; i < node.getArity(); i++) {
        done.pop().ifPresent(children::add);
      }
      done.push(Optional.ofNullable(translate(operator, node, children)));
    }
    return done.pop().orElse(null);
  }

  @Nullable
  private Filter translate(
      @Nullable ExpressionOperator operator, ExpressionNode node, List<Filter> children) {
    if (operator == ExpressionOperator.AND) {
      return children.isEmpty() ? null : all(children);
    }
    if (operator == ExpressionOperator.OR) {
      return children.size() < node.getArity() ? null : any(children);
    }
    if (operator == null || node.isSetOtherColumn()) {
      return null;
    }
    int column = place(node);
    return column < 0 ? null : leaf(operator, node, column);
  }

  private int place(ExpressionNode node) {
    for (int i = 0; i < layout.columns().size(); i++) {
      boolean isRead =
          layout.columns().get(i).name().equals(node.getColumn())
              && layout.columns().get(i).type().toString().equals(node.getType());
      if (isRead) {
        return i;
      }
    }
    return -1;
  }

  @Nullable
  private Filter leaf(ExpressionOperator operator, ExpressionNode node, int column) {
    if (operator == ExpressionOperator.IS_NULL) {
      return test(column, CompareOperator.EQUAL, RowKeys.cell(null));
    }
    if (operator == ExpressionOperator.IS_NOT_NULL) {
      return notNull(column);
    }
    List<byte[]> values = values(node);
    // None of no values, as of no ranges, is met: HBase has another mind about lists of no filters.
    return values.isEmpty() ? null : comparison(operator, node, column, values);
  }

  @Nullable
  private Filter comparison(
      ExpressionOperator operator, ExpressionNode node, int column, List<byte[]> values) {
    switch (operator) {
      case EQ:
        return test(column, CompareOperator.EQUAL, RowKeys.cell(values.get(0)));
      case NE:
        return noneOf(column, values);
      case LT:
        return below(column, CompareOperator.LESS, values.get(0));
      case LTEQ:
        return below(column, CompareOperator.LESS_OR_EQUAL, values.get(0));
      case GT:
        return test(column, CompareOperator.GREATER, RowKeys.cell(values.get(0)));
      case GTEQ:
        return test(column, CompareOperator.GREATER_OR_EQUAL, RowKeys.cell(values.get(0)));
      case IN:
        return oneOf(column, values);
      case NOT_IN:
        return noneOf(column, values);
      case RANGES:
        return ranges(column, values, node.getBounds());
      default:
        return null;
    }
  }

  private Filter oneOf(int column, List<byte[]> values) {
    List<Filter> each = new ArrayList<>();
    values.forEach(value -> each.add(test(column, CompareOperator.EQUAL, RowKeys.cell(value))));
    return any(each);
  }

  private Filter noneOf(int column, List<byte[]> values) {
    List<Filter> each = new ArrayList<>(Collections.singletonList(notNull(column)));
    values.forEach(value -> each.add(test(column, CompareOperator.NOT_EQUAL, RowKeys.cell(value))));
    return all(each);
  }

  /** The low and the high end of each range in turn, and how they bound it. */
  private Filter ranges(int column, List<byte[]> ends, byte[] bounds) {
    List<Filter> each = new ArrayList<>();
    for (int i = 0; i < bounds.length; i++) {
      boolean hasLow = (bounds[i] & 1) != 0;
      boolean hasHigh = (bounds[i] & 4) != 0;
      CompareOperator low =
          (bounds[i] & 2) != 0 ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.GREATER;
      CompareOperator high =
          (bounds[i] & 8) != 0 ? CompareOperator.LESS_OR_EQUAL : CompareOperator.LESS;
      List<Filter> both = new ArrayList<>();
      both.add(hasLow ? test(column, low, RowKeys.cell(ends.get(2 * i))) : notNull(column));
      if (hasHigh) {
        both.add(test(column, high, RowKeys.cell(ends.get(2 * i + 1))));
      }
      each.add(all(both));
    }
    return any(each);
  }

  private Filter below(int column, CompareOperator operator, byte[] value) {
    List<Filter> both = new ArrayList<>();
    both.add(notNull(column));
    both.add(test(column, operator, RowKeys.cell(value)));
    return all(both);
  }

  private Filter notNull(int column) {
    return test(column, CompareOperator.GREATER, RowKeys.cell(null));
  }

  private Filter test(int column, CompareOperator operator, byte[] value) {
    comparisons++;
    SingleColumnValueFilter test =
        new SingleColumnValueFilter(
            RowKeys.VALUES, RowKeys.column(column), operator, new BinaryComparator(value));
    test.setFilterIfMissing(true);
    return test;
  }

  private static Filter all(List<Filter> filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, filters);
  }

  private static Filter any(List<Filter> filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, filters);
  }

  private static List<byte[]> values(ExpressionNode node) {
    List<byte[]> values = new ArrayList<>();
    if (node.isSetValues()) {
      for (ByteBuffer value : node.getValues()) {
        values.add(TBaseHelper.byteBufferToByteArray(value));
      }
    }
    return values;
  }
}
