// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;

/**
 * Binds terms to columns that are constants. The columns are renamed: Hive parses dots and colons
 * in column names as paths, and a nested field becomes a plain column here.
 */
final class TermBinder {
  private final List<ReadColumn> columns;
  private final HiveConf conf;
  private final Map<String, Integer> positions = new HashMap<>();

  private TermBinder(List<ReadColumn> columns, HiveConf conf) {
    this.columns = columns;
    this.conf = conf;
    for (int i = 0; i < columns.size(); i++) {
      positions.put(columns.get(i).name(), i);
    }
  }

  /**
   * Binds a copy of a term; empty if it reads other columns or types, or calls a function that
   * {@link EvaluableFunctions} refuses.
   */
  static Optional<ExprNodeDesc> bind(ExprNodeDesc term, List<ReadColumn> columns, HiveConf conf) {
    return Optional.ofNullable(new TermBinder(columns, conf).bound(term.clone()));
  }

  static List<String> columnNames(int columns) {
    return IntStream.range(0, columns).mapToObj(i -> "c" + i).collect(Collectors.toList());
  }

  /** The bound node, or null if it cannot be bound. Changes {@code node}. */
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
        || !EvaluableFunctions.allow((ExprNodeGenericFuncDesc) node, conf)) {
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

  /** Dotted name of a column or nested field; null for other nodes. */
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
        || !HiveType.parse(node.getTypeString())
            .equals(Optional.of(columns.get(position).type()))) {
      return null;
    }
    return new ExprNodeColumnDesc(
        node.getTypeInfo(), columnNames(columns.size()).get(position), "", false);
  }
}
