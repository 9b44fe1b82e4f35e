// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.filter;
import static io.hudiskip.scan.savings.join.Plans.limit;
import static io.hudiskip.scan.savings.join.Plans.scan;
import static io.hudiskip.scan.savings.join.Plans.select;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.parse.SplitSample;
import org.apache.hadoop.hive.ql.plan.AggregationDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFCount.GenericUDAFCountEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFMax.GenericUDAFMaxEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFMin.GenericUDAFMinEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNegative;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.junit.jupiter.api.Test;

class ExtremeRowsTest {
  private final TableScanOperator scan = scan(null);
  private final MapWork work = new MapWork();

  @Test
  void areOnesWithTheLeastAndTheGreatestValue() {
    Operator<?> renamed = select(scan, column("c"), "_col0");
    grouped(renamed, min(column("_col0")), max(column("_col0")));
    assertThat(rows()).hasToString("[first 1 by c asc nulls last, first 1 by c desc nulls last]");
  }

  @Test
  void areNotKnownBesideAnotherAggregate() {
    grouped(scan, max(column("c")), aggregate(new GenericUDAFCountEvaluator(), column("c")));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownForAFunctionThatIsOnlyNamedSo() {
    grouped(scan, aggregate(new GenericUDAFMaxEvaluator() {}, column("c")));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areThoseThatAFilterLeaves() {
    grouped(filter(scan, call(new GenericUDFOPNotNull(), column("d"))), max(column("c")));
    assertThat(rows()).hasToString("[first 1 by c desc nulls last]");
    assertThat(NeededRows.of(work, scan).flatMap(NeededRows::filter)).isPresent();
  }

  @Test
  void areNotKnownUnderALimit() {
    grouped(limit(scan), max(column("c")));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownIfRowsGoSeveralWays() {
    grouped(scan, max(column("c")));
    select(scan, column("c"), "_col0");
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownOfASample() {
    grouped(scan, max(column("c")));
    work.getNameToSplitSample().put("t", new SplitSample(10.0, 0));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownOfAComputedValue() {
    grouped(scan, max(call(new GenericUDFOPNegative(), column("c"))));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownForTypesThatHiveOrdersInItsOwnWay() {
    for (TypeInfo type :
        Arrays.asList(
            TypeInfoFactory.doubleTypeInfo,
            TypeInfoFactory.floatTypeInfo,
            TypeInfoFactory.booleanTypeInfo,
            TypeInfoFactory.getCharTypeInfo(3),
            TypeInfoFactory.getVarcharTypeInfo(3))) {
      TableScanOperator own = scan(null);
      grouped(own, max(new ExprNodeColumnDesc(type, "c", "t", false)));
      assertThat(NeededRows.of(work, own)).as("%s", type).isEmpty();
    }
  }

  @Test
  void areNotKnownForOtherGroups() {
    List<Consumer<GroupByDesc>> changes =
        Arrays.asList(
            group -> group.setKeys(new ArrayList<>(Collections.singletonList(column("d")))),
            group -> group.setMode(GroupByDesc.Mode.COMPLETE),
            group -> group.setGroupingSetsPresent(true),
            group -> group.setAggregators(new ArrayList<>()));
    for (Consumer<GroupByDesc> change : changes) {
      TableScanOperator own = scan(null);
      GroupByDesc group = grouped(own, max(column("c")));
      assertThat(NeededRows.of(work, own)).isPresent();
      change.accept(group);
      assertThat(NeededRows.of(work, own)).isEmpty();
    }
  }

  private List<FirstRows> rows() {
    return NeededRows.of(work, scan).map(NeededRows::orders).orElse(Collections.emptyList());
  }

  private static AggregationDesc min(ExprNodeDesc value) {
    return aggregate(new GenericUDAFMinEvaluator(), value);
  }

  private static AggregationDesc max(ExprNodeDesc value) {
    return aggregate(new GenericUDAFMaxEvaluator(), value);
  }

  private static AggregationDesc aggregate(GenericUDAFEvaluator function, ExprNodeDesc value) {
    return new AggregationDesc(
        "max",
        function,
        new ArrayList<>(Collections.singletonList(value)),
        false,
        GenericUDAFEvaluator.Mode.PARTIAL1);
  }

  private static GroupByDesc grouped(Operator<?> parent, AggregationDesc... aggregates) {
    GroupByDesc group = new GroupByDesc();
    group.setMode(GroupByDesc.Mode.HASH);
    group.setKeys(new ArrayList<>());
    group.setAggregators(new ArrayList<>(Arrays.asList(aggregates)));
    OperatorFactory.getAndMakeChild(group, new RowSchema(), parent);
    return group;
  }
}
