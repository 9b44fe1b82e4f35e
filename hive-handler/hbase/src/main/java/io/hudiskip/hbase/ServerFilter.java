// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.NullTestLeaf;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import io.hudiskip.compile.plan.KeyLayout;
import io.hudiskip.compile.plan.PartitionFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * The part of a plan's filter that HBase's own filters express: comparisons of one column with
 * constants, under AND and OR, which are never TRUE for NULL. The client evaluates the whole filter
 * again, so what is missing here only returns more rows.
 */
final class ServerFilter {
  /** Longer lists are left to the client: the server would compare each row with every value. */
  private static final int MAX_COMPARISONS = 200;

  private final KeyLayout layout;
  private int comparisons;

  private ServerFilter(KeyLayout layout) {
    this.layout = layout;
  }

  /** A filter that passes at least the rows whose partitions meet a plan's filter. */
  static Optional<Filter> of(PartitionFilter filter, KeyLayout layout) {
    ServerFilter server = new ServerFilter(layout);
    Filter found = server.translate(filter.nodes());
    return server.comparisons > MAX_COMPARISONS ? Optional.empty() : Optional.ofNullable(found);
  }

  /** Null passes every row. */
  @Nullable
  private Filter translate(List<Node> nodes) {
    Deque<Optional<Filter>> done = new ArrayDeque<>();
    for (Node node : nodes) {
      List<Filter> children = new ArrayList<>();
      for (int i = 0; i < node.arity(); i++) {
        done.pop().ifPresent(children::add);
      }
      done.push(Optional.ofNullable(translate(node, children)));
    }
    return done.pop().orElse(null);
  }

  @Nullable
  private Filter translate(Node node, List<Filter> children) {
    if (node.operator() == Operator.AND) {
      return children.isEmpty() ? null : all(children);
    }
    if (node.operator() == Operator.OR) {
      return children.size() < node.arity() ? null : any(children);
    }
    int column = node.columns().size() == 1 ? position(node.columns().get(0)) : -1;
    return column < 0 ? null : leaf(node, column);
  }

  private int position(ReadColumn read) {
    for (int i = 0; i < layout.columns().size(); i++) {
      ReadColumn column = layout.columns().get(i);
      if (column.name().equals(read.name()) && column.type().equals(read.type())) {
        return i;
      }
    }
    return -1;
  }

  @Nullable
  private Filter leaf(Node leaf, int column) {
    if (leaf instanceof NullTestLeaf) {
      return leaf.operator() == Operator.IS_NULL
          ? test(column, CompareOperator.EQUAL, RowKeys.cell(null))
          : notNull(column);
    }
    if (leaf instanceof ValueLeaf) {
      ValueLeaf test = (ValueLeaf) leaf;
      return test.isNegated() ? noneOf(column, test.ranges()) : anyOf(column, test.ranges());
    }
    return null;
  }

  private Filter noneOf(int column, List<ValueRange> values) {
    List<Filter> each = new ArrayList<>();
    each.add(notNull(column));
    values.forEach(
        value -> each.add(test(column, CompareOperator.NOT_EQUAL, RowKeys.cell(value.low()))));
    return all(each);
  }

  @Nullable
  private Filter anyOf(int column, List<ValueRange> ranges) {
    List<Filter> each = new ArrayList<>();
    ranges.forEach(range -> each.add(range(column, range)));
    // An empty list matches no row, but HBase treats empty filter lists differently.
    return each.isEmpty() ? null : any(each);
  }

  private Filter range(int column, ValueRange range) {
    if (range.isPoint()) {
      return test(column, CompareOperator.EQUAL, RowKeys.cell(range.low()));
    }
    List<Filter> both = new ArrayList<>();
    // NULL sorts before all values; without a low end, its cell is the excluded one.
    both.add(
        test(
            column,
            range.lowIncluded() ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.GREATER,
            RowKeys.cell(range.low())));
    if (range.high() != null) {
      both.add(
          test(
              column,
              range.highIncluded() ? CompareOperator.LESS_OR_EQUAL : CompareOperator.LESS,
              RowKeys.cell(range.high())));
    }
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
}
