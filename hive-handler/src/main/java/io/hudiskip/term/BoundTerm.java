/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.term;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.TermEvaluator.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;

/**
 * A term whose columns are those of a row of constants, under names of our own: Hive takes dots and
 * colons in column names for paths, and a field of a struct becomes a plain column here.
 */
final class BoundTerm {
  private final ExprNodeDesc term;

  private BoundTerm(ExprNodeDesc term) {
    this.term = term;
  }

  /**
   * Binds a copy of a term.
   *
   * @return empty if it reads other columns, or the columns as other types, or calls a function
   *     that is not evaluated here
   */
  static Optional<BoundTerm> bind(ExprNodeDesc term, List<Value> row, HiveConf conf) {
    return Optional.ofNullable(new Binder(row, conf).bound(term.clone())).map(BoundTerm::new);
  }

  /** The names of the columns of a row. */
  static List<String> columnNames(int columns) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      names.add("c" + i);
    }
    return names;
  }

  /** A copy of the term: Hive's compilers of expressions change what they are given. */
  ExprNodeDesc copy() {
    return term.clone();
  }

  private static final class Binder {
    private final List<Value> row;
    private final Map<String, Integer> positions = new HashMap<>();
    private final EvaluableFunctions functions;

    Binder(List<Value> row, HiveConf conf) {
      this.row = row;
      for (int i = 0; i < row.size(); i++) {
        positions.put(row.get(i).column(), i);
      }
      this.functions = new EvaluableFunctions(conf);
    }

    /** The node itself with its columns replaced, or its replacement; null if it can't be bound. */
    @Nullable
    private ExprNodeDesc bound(ExprNodeDesc node) {
      if (node instanceof ExprNodeConstantDesc) {
        return node;
      }
      String path = path(node);
      if (path != null) {
        return column(path, node);
      }
      if (!(node instanceof ExprNodeGenericFuncDesc)
          || !functions.allow((ExprNodeGenericFuncDesc) node)) {
        return null;
      }
      List<ExprNodeDesc> children = node.getChildren();
      for (int i = 0; i < children.size(); i++) {
        ExprNodeDesc child = bound(children.get(i));
        if (child == null) {
          return null;
        }
        children.set(i, child);
      }
      return node;
    }

    /** Name of a column, or of a field of a struct in dotted form; null for other nodes. */
    @Nullable
    private static String path(ExprNodeDesc node) {
      if (node instanceof ExprNodeColumnDesc) {
        ExprNodeColumnDesc column = (ExprNodeColumnDesc) node;
        return column.getIsPartitionColOrVirtualCol() || column.getColumn().indexOf('.') >= 0
            ? null
            : column.getColumn().toLowerCase(Locale.ROOT);
      }
      if (node instanceof ExprNodeFieldDesc) {
        ExprNodeFieldDesc field = (ExprNodeFieldDesc) node;
        String struct = path(field.getDesc());
        return struct == null
                || Boolean.TRUE.equals(field.getIsList())
                || field.getFieldName().indexOf('.') >= 0
            ? null
            : struct + "." + field.getFieldName().toLowerCase(Locale.ROOT);
      }
      return null;
    }

    @Nullable
    private ExprNodeDesc column(String path, ExprNodeDesc node) {
      Integer position = positions.get(path);
      if (position == null
          || !HiveType.parse(node.getTypeString()).equals(Optional.of(row.get(position).type()))) {
        return null;
      }
      return new ExprNodeColumnDesc(
          node.getTypeInfo(), columnNames(row.size()).get(position), "", false);
    }
  }
}
