// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.constant;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.junit.jupiter.api.Test;

class JoinValuesTest {
  private final TableScanOperator scan = Plans.scan(null);
  private final MapWork work = new MapWork();

  JoinValuesTest() {
    work.getAliasToWork().put("t", scan);
    work.getEventSourceColumnNameMap().put("Map 2", Collections.singletonList("c"));
    work.getEventSourceColumnNameMap().put("Map 3", Collections.singletonList("d"));
    Plans.sink(scan, column("c"));
  }

  @Test
  void joinsTheFilterAndTheValuesOfEachColumn() {
    JoinValues values = JoinValues.of(work, scan, lists(list("c", 1L, 2L), list("d", 7L)));
    assertThat(values.text()).isEqualTo("c: 2 values, d: 1 value");
    assertThat(values.and(Optional.empty())).hasToString("c in (1, 2) and d in (7)");
    HudiExpression filter =
        new HudiExpression(
            new byte[] {9},
            Collections.singletonList(
                new ValueLeaf(
                    Operator.EQ,
                    new ReadColumn("e", HiveType.parse("bigint").get()),
                    Collections.singletonList(ValueRange.of(ValueEncoding.encodeInteger(3))))));
    HudiExpression both = values.and(Optional.of(filter));
    assertThat(both).hasToString("e = 3 and c in (1, 2) and d in (7)");
    assertThat(both.fingerprint()).containsExactly(9);
  }

  @Test
  void anEmptyListMeansNoFile() {
    JoinValues values = JoinValues.of(work, scan, lists(list("c", 1L), list("d")));
    assertThat(values.and(Optional.empty()).isNever()).isTrue();
    assertThat(values.text()).endsWith("d: 0 values");
  }

  @Test
  void saysWhatDidNotArrive() {
    JoinValues values = JoinValues.of(work, scan, lists(list("d", 7L)));
    assertThat(values.text())
        .isEqualTo(
            "c: none arrived (more than hive.tez.dynamic.partition.pruning.max.event.size),"
                + " d: 1 value");
    assertThat(JoinValues.of(work, scan, lists()).isEmpty()).isTrue();
  }

  @Test
  void usesNoneIfRowsGoSeveralWays() {
    Plans.select(scan, column("c"), "_col0");
    JoinValues values = JoinValues.of(work, scan, lists(list("c", 1L)));
    assertThat(values.isEmpty()).isTrue();
    assertThat(values.text()).contains("rows of the scan go several ways");
  }

  @Test
  void usesNoneIfTheVertexHasTwoScans() {
    work.getAliasToWork().put("u", Plans.scan(null));
    assertThat(JoinValues.of(work, scan, lists(list("c", 1L))).isEmpty()).isTrue();
  }

  @Test
  void findsListsAtTheEndOfAFilterAlone() {
    ExprNodeDesc own = call(new GenericUDFOPEqual(), column("c"), constant(1L));
    List<String> columns = JoinValues.columns(work);
    assertThat(columns).containsExactlyInAnyOrder("c", "d");
    assertThat(JoinValues.mostAtEnd(lists(own, list("c", 1L), list("d")), columns)).isEqualTo(2);
    assertThat(JoinValues.mostAtEnd(lists(list("c", 1L), own), columns)).isZero();
    assertThat(JoinValues.mostAtEnd(lists(list("e", 1L)), columns))
        .as("no join sends values for it")
        .isZero();
    assertThat(JoinValues.mostAtEnd(lists(list("c"), list("c"), list("c")), columns))
        .as("one for each join")
        .isEqualTo(2);
    assertThat(
            JoinValues.mostAtEnd(
                lists(call(new GenericUDFIn(), column("c"), column("d"))), columns))
        .isZero();
  }

  private static ExprNodeGenericFuncDesc list(String column, Object... values) {
    List<ExprNodeDesc> operands = new ArrayList<>(Plans.constants(values));
    operands.add(0, column(column));
    return call(new GenericUDFIn(), operands.toArray(new ExprNodeDesc[0]));
  }

  private static List<ExprNodeDesc> lists(ExprNodeDesc... conjuncts) {
    return Arrays.asList(conjuncts);
  }
}
