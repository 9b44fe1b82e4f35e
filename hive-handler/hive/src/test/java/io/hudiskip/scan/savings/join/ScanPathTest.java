// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.constant;
import static io.hudiskip.scan.savings.join.Plans.filter;
import static io.hudiskip.scan.savings.join.Plans.groupBy;
import static io.hudiskip.scan.savings.join.Plans.join;
import static io.hudiskip.scan.savings.join.Plans.limit;
import static io.hudiskip.scan.savings.join.Plans.scan;
import static io.hudiskip.scan.savings.join.Plans.select;
import static io.hudiskip.scan.savings.join.Plans.sink;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.JoinDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanPathTest {
  private final TableScanOperator scan = scan(null);
  private final Operator<?> filter = filter(scan, call(new GenericUDFOPNotNull(), column("c")));

  @Test
  void followsTheColumnThroughOperatorsThatPassEachValueAlone() {
    Operator<?> grouped = groupBy(select(filter, column("c"), "_col0"), column("_col0"), "_col1");
    ReduceSinkOperator input = sink(grouped, column("_col1"));
    assertThat(objection(input)).isEmpty();
  }

  @Test
  void followsItThroughAnInnerJoin() {
    ReduceSinkOperator first = sink(filter, column("c"));
    Operator<?> join = join(JoinDesc.INNER_JOIN, first, sink(scan(null), column("c")));
    assertThat(objection(sink(join, column("j")))).isEmpty();
    assertThat(ScanPath.needsPartners(join)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        JoinDesc.LEFT_OUTER_JOIN,
        JoinDesc.RIGHT_OUTER_JOIN,
        JoinDesc.FULL_OUTER_JOIN,
        JoinDesc.ANTI_JOIN,
        JoinDesc.UNIQUE_JOIN
      })
  void refusesEveryOtherJoin(int type) {
    ReduceSinkOperator first = sink(filter, column("c"));
    Operator<?> join = join(type, first, sink(scan(null), column("c")));
    assertThat(objection(sink(join, column("j")))).isPresent();
    assertThat(ScanPath.needsPartners(join)).isFalse();
  }

  @Test
  void refusesTheOtherInputOfAJoin() {
    ReduceSinkOperator second = sink(filter, column("c"));
    Operator<?> join = join(JoinDesc.INNER_JOIN, sink(scan(null), column("c")), second);
    assertThat(objection(sink(join, column("j")))).isPresent();
  }

  @Test
  void refusesALimit() {
    assertThat(objection(sink(limit(filter), column("c")))).get().asString().startsWith("LIM");
  }

  @Test
  void refusesASinkThatKeepsTheFirstRows() {
    ReduceSinkOperator first = sink(filter, column("c"));
    first.getConf().setTopN(5);
    assertThat(objection(sink(select(first, column("KEY.k"), "_col0"), column("_col0"))))
        .isPresent();
  }

  @Test
  void refusesGroupingSets() {
    Operator<?> grouped = groupBy(filter, column("c"), "_col0");
    ((GroupByOperator) grouped).getConf().setGroupingSetsPresent(true);
    assertThat(objection(sink(grouped, column("_col0")))).isPresent();
  }

  @Test
  void refusesAColumnThatIsNoKeyOfAGroup() {
    Operator<?> grouped = groupBy(filter, constant(1L), "_col0");
    assertThat(objection(sink(grouped, column("_col0")))).isPresent();
    assertThat(objection(sink(groupBy(scan, null, "_col0"), column("_col0")))).isPresent();
  }

  @Test
  void refusesAnotherColumnAndAnExpression() {
    assertThat(objection(sink(filter, column("d")))).isPresent();
    ExprNodeDesc computed = call(new GenericUDFOPNotNull(), column("c"));
    TableScanOperator other = scan(null);
    ReduceSinkOperator input = sink(other, computed);
    assertThat(ScanPath.objection(other, "c", input, computed)).isPresent();
  }

  @Test
  void refusesAScanWhoseRowsGoElsewhereToo() {
    ReduceSinkOperator input = sink(filter, column("c"));
    assertThat(objection(input)).isEmpty();
    assertThat(SideBranches.isForked(scan)).isFalse();
    select(filter, column("c"), "_col0");
    assertThat(objection(input)).get().asString().contains("alone");
    assertThat(SideBranches.isForked(scan)).isTrue();
  }

  @Test
  void aBranchThatSendsValuesIsNoFork() {
    ReduceSinkOperator input = sink(filter, column("c"));
    Plans.event(filter, column("c"));
    assertThat(objection(input)).isEmpty();
    assertThat(SideBranches.isForked(scan)).isFalse();
  }

  @Test
  void theBranchOfASemijoinIsNoForkWhileTheWholePlanIsSeen() {
    ReduceSinkOperator input = sink(filter, column("c"));
    Operator<?> values = groupBy(select(filter, column("c"), "_col0"), column("_col0"), "_col0");
    ReduceSinkOperator merged =
        sink(groupBy(sink(values, column("_col0")), null, "m"), column("m"));
    // So that the input of the join is no such branch itself.
    join(JoinDesc.INNER_JOIN, input, sink(scan(null), column("c")));
    assertThat(objection(input)).isEmpty();
    assertThat(SideBranches.isForked(scan)).isTrue();
    select(merged, column("KEY.k"), "_col0");
    assertThat(objection(input)).as("it is read").isPresent();
  }

  @Test
  void refusesAJoinThatTheScanDoesNotReach() {
    assertThat(objection(sink(scan(null), column("c")))).isPresent();
  }

  private Optional<String> objection(ReduceSinkOperator input) {
    if (input.getChildOperators().isEmpty()) {
      join(JoinDesc.INNER_JOIN, input, sink(scan(null), column("c")));
    }
    return ScanPath.objection(scan, "c", input, input.getConf().getKeyCols().get(0))
        .map(Objection::reason);
  }
}
