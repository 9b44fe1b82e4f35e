// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.ColumnInfo;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;

/**
 * The columns of a scan's rows that a statement uses, from the plan of the scan's vertex: which
 * rows may stand for those of a file. Immutable.
 *
 * <p>Two proofs. Rows that have the values of all columns that Hive reads are the file's rows. And
 * where a filter directly behind the scan is the only reader of the scan's rows, and a projection
 * the only one of those that it leaves: of a file for all of whose rows the filter is TRUE, as many
 * rows for which it is TRUE, with the file's values of the columns that the projection uses, leave
 * the projection as the file's rows do.
 */
public final class UsedColumns {
  private final Optional<List<ReadColumn>> ofScan;
  private final Optional<FilteredColumns> filtered;

  private UsedColumns(Optional<List<ReadColumn>> ofScan, Optional<FilteredColumns> filtered) {
    this.ofScan = ofScan;
    this.filtered = filtered;
  }

  /**
   * Reads the plan of a scan's vertex.
   *
   * @return empty if the statement may use more of the rows than their columns
   */
  public static Optional<UsedColumns> of(MapWork work, TableScanOperator scan) {
    TableScanDesc table = scan.getConf();
    return table.getRowLimit() >= 0 // TABLESAMPLE (n ROWS) takes the first that are read
            || !work.getNameToSplitSample().isEmpty()
            || table.isGatherStats()
            || (table.getVirtualCols() != null && !table.getVirtualCols().isEmpty())
        ? Optional.empty()
        : Optional.of(of(scan));
  }

  private static UsedColumns of(TableScanOperator scan) {
    Optional<FilteredColumns> filtered = filtered(scan);
    List<ReadColumn> first = filtered.map(FilteredColumns::all).orElse(Collections.emptyList());
    return new UsedColumns(read(scan, first), filtered);
  }

  /**
   * All that Hive reads, those of the filter first; empty if one may be no plain column of the
   * table.
   */
  public Optional<List<ReadColumn>> ofScan() {
    return ofScan;
  }

  /** The columns that a filter uses and those used behind it; empty if not only these are used. */
  public Optional<FilteredColumns> filtered() {
    return filtered;
  }

  private static Optional<List<ReadColumn>> read(TableScanOperator scan, List<ReadColumn> first) {
    List<String> needed = scan.getConf().getNeededColumns();
    if (needed == null) {
      return Optional.empty();
    }
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    first.forEach(column -> columns.put(column.name(), column));
    columns.keySet().retainAll(needed.stream().map(UsedColumns::lower).collect(Collectors.toSet()));
    for (String name : needed) {
      Optional<ReadColumn> column =
          infos(scan).stream()
              .filter(info -> info.getInternalName().equalsIgnoreCase(name))
              .findFirst()
              .filter(info -> !info.getIsVirtualCol())
              .map(ColumnInfo::getTypeName)
              .flatMap(type -> plain(name, type));
      if (!column.isPresent()) {
        return Optional.empty();
      }
      columns.put(column.get().name(), column.get());
    }
    return Optional.of(Collections.unmodifiableList(new ArrayList<>(columns.values())));
  }

  private static List<ColumnInfo> infos(TableScanOperator scan) {
    RowSchema schema = scan.getSchema();
    return schema == null || schema.getSignature() == null
        ? Collections.emptyList()
        : schema.getSignature();
  }

  private static Optional<FilteredColumns> filtered(TableScanOperator scan) {
    // Operators that work on batches are of other classes, with the same descriptions.
    OperatorDesc filter = descOf(onlyChild(scan));
    OperatorDesc select = descOf(onlyChild(onlyChild(scan)));
    if (!(filter instanceof FilterDesc)
        || ((FilterDesc) filter).getIsSamplingPred()
        || ((FilterDesc) filter).isSortedFilter() // ends with the first row after those it leaves
        || !(select instanceof SelectDesc)
        || ((SelectDesc) select).isSelStarNoCompute()
        || ((SelectDesc) select).getColList() == null) {
      return Optional.empty();
    }
    ExprNodeDesc predicate = ((FilterDesc) filter).getPredicate();
    Optional<Collection<ReadColumn>> ofFilter = columns(Collections.singleton(predicate));
    Optional<Collection<ReadColumn>> behind = columns(((SelectDesc) select).getColList());
    return ofFilter.isPresent() && behind.isPresent()
        ? Optional.of(new FilteredColumns(predicate, ofFilter.get(), behind.get()))
        : Optional.empty();
  }

  /** Null if the operator's rows go elsewhere, too. */
  @Nullable
  private static Operator<?> onlyChild(@Nullable Operator<?> operator) {
    return operator == null
            || operator.getChildOperators() == null
            || operator.getChildOperators().size() != 1
        ? null
        : operator.getChildOperators().get(0);
  }

  @Nullable
  private static OperatorDesc descOf(@Nullable Operator<?> operator) {
    return operator == null ? null : operator.getConf();
  }

  /** The columns that expressions use; empty if one may be no plain column of the table. */
  private static Optional<Collection<ReadColumn>> columns(Collection<ExprNodeDesc> expressions) {
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    Deque<ExprNodeDesc> nodes = new ArrayDeque<>(expressions);
    while (!nodes.isEmpty()) {
      ExprNodeDesc node = nodes.pop();
      if (node instanceof ExprNodeGenericFuncDesc) {
        node.getChildren().forEach(nodes::push);
      } else if (node instanceof ExprNodeColumnDesc
          && !((ExprNodeColumnDesc) node).getIsPartitionColOrVirtualCol()) {
        Optional<ReadColumn> column =
            plain(((ExprNodeColumnDesc) node).getColumn(), node.getTypeString());
        if (!column.isPresent()) {
          return Optional.empty();
        }
        columns.put(column.get().name(), column.get());
      } else if (!(node instanceof ExprNodeConstantDesc)) {
        return Optional.empty();
      }
    }
    return Optional.of(columns.values());
  }

  private static Optional<ReadColumn> plain(String name, String typeName) {
    return HiveType.parse(typeName)
        .filter(type -> type.kind() != HiveType.Kind.UNENCODED)
        .map(type -> new ReadColumn(lower(name), type));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
