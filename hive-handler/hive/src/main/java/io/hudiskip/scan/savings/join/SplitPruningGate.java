// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.filter.FilterLimitException;
import io.hudiskip.compile.filter.FilterTermBuilder;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.StatisticsSource;
import io.hudiskip.table.PartitionValues;
import io.hudiskip.table.UnreadableTableException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicListDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;

/**
 * Decides whether a join may send the values of one of its inputs to a scan of the other, before
 * the scan's files are listed ({@code HiveStorageHandler.addDynamicSplitPruningEdge}). Hive offers
 * each {@code column IN (values of the join)} that it has pushed to a scan, and checks nothing
 * itself: it sends values for casts, NULLs and outer joins, on which queries then fail or lose
 * rows.
 *
 * <p>Why a file may be skipped that has none of the values: {@link ScanPath} proves that every row
 * of the scan goes to the join and nowhere else, and the join drops a row without a partner.
 */
public final class SplitPruningGate {
  private SplitPruningGate() {}

  /** A plain column of a handler's table that a join's values may restrict. Immutable. */
  private static final class Offer {
    private final ExprNodeColumnDesc column;
    private final ExprNodeDynamicListDesc values;

    Offer(ExprNodeColumnDesc column, ExprNodeDynamicListDesc values) {
      this.column = column;
      this.values = values;
    }
  }

  /**
   * Why the values of a join must not or need not be sent.
   *
   * @param table of the scan
   * @param predicate the condition that Hive has pushed to the scan; not changed
   * @param session has the settings of the file system and the index cache
   * @return empty if they should be sent
   */
  public static Optional<Objection> objection(
      Table table, ExprNodeDesc predicate, Configuration session) {
    Offer offer = offer(table, predicate);
    if (offer == null) {
      return Objection.of(
          "the join does not compare a column of the table with values of its type");
    }
    Optional<HiveType> type =
        HiveType.parse(offer.column.getTypeString()).filter(ValueList::encodes);
    if (!type.isPresent()) {
      return Objection.of("the column's type is " + offer.column.getTypeString());
    }
    Optional<Objection> plan = planObjection(table, predicate, offer, session);
    if (plan.isPresent()) {
      return plan;
    }
    if (isInPaths(table, offer.column, session)) {
      return Optional.empty(); // no index is needed
    }
    SkippingConf settings = SkippingConf.of(session, table.getParameters());
    if (settings.index() == StatisticsSource.METADATA_TABLE) {
      return Objection.of(SkippingConf.INDEX + "=" + settings.index());
    }
    return ClusteredColumn.objection(
        session, table.getPath(), new ReadColumn(offer.column.getColumn(), type.get()));
  }

  private static boolean isInPaths(Table table, ExprNodeColumnDesc column, Configuration session) {
    try {
      return PartitionValues.areIn(
          session, table.getPath().toString(), column.getColumn(), column.getTypeInfo());
    } catch (UnreadableTableException e) {
      return false; // the scan says it
    }
  }

  /** Null for any other condition: Hive fails on a cast, and takes {@code <} for {@code IN}. */
  @Nullable
  private static Offer offer(Table table, ExprNodeDesc predicate) {
    if (!(predicate instanceof ExprNodeGenericFuncDesc)
        || !(((ExprNodeGenericFuncDesc) predicate).getGenericUDF() instanceof GenericUDFIn)) {
      return null;
    }
    List<ExprNodeDesc> operands = predicate.getChildren();
    if (operands.size() != 2
        || !(operands.get(0) instanceof ExprNodeColumnDesc)
        || !(operands.get(1) instanceof ExprNodeDynamicListDesc)) {
      return null;
    }
    ExprNodeColumnDesc column = (ExprNodeColumnDesc) operands.get(0);
    boolean isOfTable =
        ScanPath.isPlain(column)
            && table.getCols().stream().anyMatch(field -> isSame(field, column));
    return isOfTable && column.getTypeInfo().equals(operands.get(1).getTypeInfo())
        ? new Offer(column, (ExprNodeDynamicListDesc) operands.get(1))
        : null;
  }

  private static boolean isSame(FieldSchema field, ExprNodeColumnDesc column) {
    return field.getName().equals(column.getColumn())
        && field.getType().equals(column.getTypeString());
  }

  private static Optional<Objection> planObjection(
      Table table, ExprNodeDesc predicate, Offer offer, Configuration session) {
    if (!(offer.values.getSource() instanceof ReduceSinkOperator)) {
      return Objection.of("the values do not come from a join");
    }
    ReduceSinkOperator source = (ReduceSinkOperator) offer.values.getSource();
    int key = offer.values.getKeyIndex();
    if (source.getChildOperators().size() != 1
        || source.getParentOperators().size() != 1
        || offer.values.getTarget() != null
        || key < 0
        || key >= source.getConf().getKeyCols().size()) {
      return Objection.of("the values do not come from one key of a join");
    }
    Operator<?> join = source.getChildOperators().get(0);
    if (!ScanPath.needsPartners(join) || !join.getParentOperators().contains(source)) {
      return Objection.of("the join also returns rows without a partner");
    }
    for (Operator<?> input : join.getParentOperators()) {
      if (input == source || !(input instanceof ReduceSinkOperator)) {
        continue;
      }
      TableScanOperator scan = scanOf(table, predicate, input);
      if (scan == null) {
        continue;
      }
      ReduceSinkOperator target = (ReduceSinkOperator) input;
      if (key >= target.getConf().getKeyCols().size()) {
        return Objection.of("the join's inputs have different keys");
      }
      Optional<Objection> path =
          ScanPath.objection(
              scan, offer.column.getColumn(), target, target.getConf().getKeyCols().get(key));
      return path.isPresent()
          ? path
          : SourceSide.objection(source, source.getConf().getKeyCols().get(key), scan, session);
    }
    return Objection.of("the scan is not an input of the join");
  }

  /**
   * The scan above an operator whose filter is the predicate; null if there is none. The table
   * alone would not do: Hive may offer a predicate about one of several scans of it.
   */
  @Nullable
  private static TableScanOperator scanOf(Table table, ExprNodeDesc predicate, Operator<?> below) {
    Set<Operator<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Operator<?>> open = new ArrayDeque<>();
    open.add(below);
    while (!open.isEmpty()) {
      Operator<?> operator = open.remove();
      if (!seen.add(operator)) {
        continue;
      }
      if (operator instanceof TableScanOperator
          && isOneObject(((TableScanOperator) operator).getConf().getTableMetadata(), table)
          && operator.getChildOperators().stream().anyMatch(child -> filtersBy(child, predicate))) {
        return (TableScanOperator) operator;
      }
      open.addAll(operator.getParentOperators());
    }
    return null;
  }

  private static boolean filtersBy(Operator<?> operator, ExprNodeDesc predicate) {
    if (!(operator instanceof FilterOperator)) {
      return false;
    }
    try {
      return FilterTermBuilder.conjunctsOf(((FilterOperator) operator).getConf().getPredicate())
          .stream()
          .anyMatch(conjunct -> isOneObject(conjunct, predicate));
    } catch (FilterLimitException e) {
      return false;
    }
  }

  /** Equal tables and conditions may belong to different scans. */
  private static boolean isOneObject(Object one, Object other) {
    return one == other;
  }
}
