// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.counts;

import static io.hudiskip.hive.filter.HiveFilters.call;
import static io.hudiskip.hive.join.Plans.column;
import static io.hudiskip.hive.join.Plans.filter;
import static io.hudiskip.hive.join.Plans.limit;
import static io.hudiskip.hive.join.Plans.scan;
import static io.hudiskip.hive.join.Plans.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.wire.TypedFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.ql.parse.SplitSample;
import org.apache.hadoop.hive.ql.plan.AggregationDesc;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFCount.GenericUDAFCountEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.junit.jupiter.api.Test;

class CountedFilterTest {
  private static final ExprNodeDesc FILTER = call(new GenericUDFOPNotNull(), column("c"));

  private final TableScanOperator scan = scan(null);
  private final MapWork work = new MapWork();

  @Test
  void isThatOfAScanWhoseRowsAreCounted() {
    counted(noColumn(filter(scan, FILTER)));
    assertThat(filterOf(scan)).containsSame(FILTER);
  }

  @Test
  void mayBeCountedMoreThanOnce() {
    counted(noColumn(filter(scan, FILTER)))
        .getAggregators()
        .add(aggregate("count", new ArrayList<>(), false));
    assertThat(filterOf(scan)).isPresent();
  }

  @Test
  void isNoneWithoutAFilter() {
    counted(noColumn(scan));
    assertThat(filterOf(scan)).isEmpty();
  }

  @Test
  void isNoneIfAColumnIsKept() {
    counted(select(filter(scan, FILTER), column("c"), "_col0"));
    assertThat(filterOf(scan)).isEmpty();
  }

  @Test
  void isNoneIfThereIsAnotherOperatorBetween() {
    counted(noColumn(limit(filter(scan, FILTER))));
    assertThat(filterOf(scan)).isEmpty();
    TableScanOperator twice = scan(null);
    counted(noColumn(filter(filter(twice, FILTER), FILTER)));
    assertThat(filterOf(twice)).as("two filters").isEmpty();
    TableScanOperator unprojected = scan(null);
    counted(filter(unprojected, FILTER));
    assertThat(filterOf(unprojected)).isEmpty();
    TableScanOperator uncounted = scan(null);
    limit(noColumn(filter(uncounted, FILTER)));
    assertThat(filterOf(uncounted)).isEmpty();
  }

  @Test
  void isNoneIfRowsGoSeveralWays() {
    counted(noColumn(filter(scan, FILTER)));
    limit(scan);
    assertThat(filterOf(scan)).as("from the scan").isEmpty();
    TableScanOperator filtered = scan(null);
    Operator<?> filter = filter(filtered, FILTER);
    counted(noColumn(filter));
    limit(filter);
    assertThat(filterOf(filtered)).as("from the filter").isEmpty();
    TableScanOperator projected = scan(null);
    Operator<?> select = noColumn(filter(projected, FILTER));
    counted(select);
    limit(select);
    assertThat(filterOf(projected)).as("from the projection").isEmpty();
  }

  @Test
  void isNoneOfASample() {
    counted(noColumn(filter(scan, FILTER)));
    scan.getConf().setRowLimit(3);
    assertThat(filterOf(scan)).as("TABLESAMPLE (3 ROWS)").isEmpty();
    scan.getConf().setRowLimit(-1);
    assertThat(filterOf(scan)).isPresent();
    work.getNameToSplitSample().put("t", new SplitSample(10.0, 0));
    assertThat(filterOf(scan)).as("TABLESAMPLE (10 PERCENT)").isEmpty();
  }

  @Test
  void isNoneOfAScanWithVirtualColumnsOrStatistics() {
    counted(noColumn(filter(scan, FILTER)));
    scan.getConf().setVirtualCols(Collections.singletonList(VirtualColumn.FILENAME));
    assertThat(filterOf(scan)).isEmpty();
    scan.getConf().setVirtualCols(new ArrayList<>());
    assertThat(filterOf(scan)).isPresent();
    scan.getConf().setGatherStats(true);
    assertThat(filterOf(scan)).isEmpty();
  }

  @Test
  void isNoneOfFiltersThatDoMoreThanFilter() {
    List<Consumer<FilterDesc>> changes =
        Arrays.asList(
            desc -> desc.setIsSamplingPred(true), // TABLESAMPLE (BUCKET …)
            desc -> desc.setSortedFilter(true));
    for (Consumer<FilterDesc> change : changes) {
      TableScanOperator own = scan(null);
      FilterDesc desc = new FilterDesc(FILTER, false);
      counted(noColumn(OperatorFactory.getAndMakeChild(desc, new RowSchema(), own)));
      assertThat(filterOf(own)).isPresent();
      change.accept(desc);
      assertThat(filterOf(own)).isEmpty();
    }
  }

  @Test
  void isNoneOfOtherAggregates() {
    List<ExprNodeDesc> none = new ArrayList<>();
    List<ExprNodeDesc> one = new ArrayList<>(Collections.singletonList(column("c")));
    List<Consumer<GroupByDesc>> changes =
        Arrays.asList(
            group -> group.setKeys(one),
            group -> group.setAggregators(new ArrayList<>()),
            group -> group.getAggregators().add(aggregate("max", one, false)),
            group -> group.getAggregators().add(aggregate("mine", none, false)),
            group -> group.getAggregators().add(aggregate("count", one, false)),
            group -> group.getAggregators().add(aggregate("count", none, true)));
    for (Consumer<GroupByDesc> change : changes) {
      TableScanOperator own = scan(null);
      GroupByDesc group = counted(noColumn(filter(own, FILTER)));
      assertThat(filterOf(own)).isPresent();
      change.accept(group);
      assertThat(filterOf(own)).isEmpty();
    }
  }

  @Test
  void hasNoComplementIfItHasValuesThatAreKnownOnlyAtRunTime() {
    ExprNodeGenericFuncDesc filter = HiveJobs.idBetween(1, 2);
    filter
        .getChildren()
        .set(
            1,
            new ExprNodeDynamicValueDesc(
                new DynamicValue("RS_7_id_min", TypeInfoFactory.getPrimitiveTypeInfo("bigint"))));
    assertThat(TypedFilter.of(filter).isEmpty()).as("the filter without them is weaker").isFalse();
    assertThat(TypedFilter.of(CountedFilter.complement(filter)).isEmpty()).isTrue();
  }

  private Optional<ExprNodeDesc> filterOf(TableScanOperator of) {
    return CountedFilter.of(work, of);
  }

  /** A SELECT of nothing. */
  private static Operator<?> noColumn(Operator<?> parent) {
    SelectDesc select = new SelectDesc(new ArrayList<>(), new ArrayList<>());
    return OperatorFactory.getAndMakeChild(select, new RowSchema(), parent);
  }

  /** {@code count(*)}. */
  private static GroupByDesc counted(Operator<?> parent) {
    GroupByDesc group = new GroupByDesc();
    group.setKeys(new ArrayList<>());
    group.setAggregators(
        new ArrayList<>(Collections.singletonList(aggregate("count", new ArrayList<>(), false))));
    OperatorFactory.getAndMakeChild(group, new RowSchema(), parent);
    return group;
  }

  private static AggregationDesc aggregate(
      String name, List<ExprNodeDesc> parameters, boolean isDistinct) {
    return new AggregationDesc(
        name, new GenericUDAFCountEvaluator(), parameters, isDistinct, Mode.PARTIAL1);
  }
}
