// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import io.hudiskip.compile.expression.Connective;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;

/**
 * What joins have found for columns of one scan when its files are listed. Immutable.
 *
 * <p>Hive's {@code DynamicPartitionPruner} adds {@code column IN (values)} for each event at the
 * end of the scan's filter, in the application master's copy of the plan only. It adds none for an
 * event that was too large, so the plan's events tell what was expected, not the filter.
 */
public final class JoinValues {
  /** Of a scan to which no join sends values. */
  public static final JoinValues NONE = new JoinValues(Collections.emptyList(), "");

  private final List<ValueList> lists;
  private final String text;

  private JoinValues(List<ValueList> lists, String text) {
    this.lists = lists;
    this.text = text;
  }

  /** The columns of the scan for which the plan's joins send values; one for each join. */
  public static List<String> columns(MapWork work) {
    return work.getEventSourceColumnNameMap().values().stream()
        .flatMap(Collection::stream)
        .collect(Collectors.toList());
  }

  /**
   * How many conjuncts at the end of a filter can be values of joins, at most.
   *
   * @param columns of {@link #columns}
   */
  public static int mostAtEnd(List<ExprNodeDesc> conjuncts, List<String> columns) {
    int count = 0;
    while (count < Math.min(columns.size(), conjuncts.size())
        && isList(conjuncts.get(conjuncts.size() - 1 - count), columns)) {
      count++;
    }
    return count;
  }

  private static boolean isList(ExprNodeDesc conjunct, List<String> columns) {
    return isIn(conjunct)
        && conjunct.getChildren().get(0) instanceof ExprNodeColumnDesc
        && columns.contains(((ExprNodeColumnDesc) conjunct.getChildren().get(0)).getColumn())
        && values(conjunct).stream().allMatch(ExprNodeConstantDesc.class::isInstance);
  }

  /** Whether a conjunct is a list without values, which Hive cannot evaluate. */
  public static boolean isOfNone(ExprNodeDesc conjunct) {
    return isIn(conjunct) && values(conjunct).isEmpty();
  }

  private static boolean isIn(ExprNodeDesc conjunct) {
    return conjunct instanceof ExprNodeGenericFuncDesc
        && ((ExprNodeGenericFuncDesc) conjunct).getGenericUDF() instanceof GenericUDFIn;
  }

  private static List<ExprNodeDesc> values(ExprNodeDesc list) {
    return list.getChildren().subList(1, list.getChildren().size());
  }

  /**
   * Reads the conjuncts that are values of joins.
   *
   * @param work the plan of the scan's vertex
   * @param conjuncts as {@link #mostAtEnd} finds them
   */
  public static JoinValues of(MapWork work, TableScanOperator scan, List<ExprNodeDesc> conjuncts) {
    Set<String> expected = new LinkedHashSet<>(columns(work));
    if (expected.isEmpty()) {
      return NONE;
    }
    if (work.getAliasToWork().size() != 1 || SideBranches.isForked(scan)) {
      // A row that has no partner in one join may be needed elsewhere.
      return new JoinValues(
          Collections.emptyList(),
          String.join(", ", expected) + ": not used, rows of the scan go several ways");
    }
    Map<String, Optional<ValueList>> found = new LinkedHashMap<>();
    for (ExprNodeDesc conjunct : conjuncts) {
      ExprNodeColumnDesc column = (ExprNodeColumnDesc) conjunct.getChildren().get(0);
      // Hive gives each join of a column the values of all of them.
      found.computeIfAbsent(column.getColumn(), name -> ValueList.of(column, values(conjunct)));
    }
    List<ValueList> lists = new ArrayList<>();
    found.values().forEach(list -> list.ifPresent(lists::add));
    return new JoinValues(
        Collections.unmodifiableList(lists),
        expected.stream().map(column -> text(column, found)).collect(Collectors.joining(", ")));
  }

  private static String text(String column, Map<String, Optional<ValueList>> found) {
    if (!found.containsKey(column)) {
      return column
          + ": none arrived (more than "
          + HiveConf.ConfVars.TEZ_DYNAMIC_PARTITION_PRUNING_MAX_EVENT_SIZE.varname
          + ")";
    }
    return found
        .get(column)
        .map(list -> column + ": " + list.count() + (list.count() == 1 ? " value" : " values"))
        .orElse(column + ": not used, a value is not exact");
  }

  /** Whether there are no values that could skip a file. */
  public boolean isEmpty() {
    return lists.isEmpty();
  }

  /** What was expected and what arrived, for the log; empty if no join sends values. */
  public String text() {
    return text;
  }

  /**
   * An expression and these values.
   *
   * @param filter of the scan's own filter; empty if there is none
   */
  public HudiExpression and(Optional<HudiExpression> filter) {
    byte[] fingerprint = filter.map(HudiExpression::fingerprint).orElse(new byte[0]);
    for (ValueList list : lists) {
      if (list.leaf().operator() == Operator.NEVER) {
        // AND is TRUE for no row if one of its operands is.
        return new HudiExpression(fingerprint, Collections.singletonList(list.leaf()));
      }
    }
    // A row in the join's answer makes the filter TRUE and has one of the values of each column.
    List<Leaf> leaves = lists.stream().map(ValueList::leaf).collect(Collectors.toList());
    List<Node> nodes = new ArrayList<>(filter.map(HudiExpression::nodes).orElseGet(ArrayList::new));
    int operands = leaves.size() + (nodes.isEmpty() ? 0 : 1);
    nodes.addAll(leaves);
    if (operands > 1) {
      nodes.add(new Connective(Operator.AND, operands));
    }
    return new HudiExpression(fingerprint, nodes);
  }
}
