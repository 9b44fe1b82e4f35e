// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.filter;
import static io.hudiskip.scan.savings.join.Plans.limit;
import static io.hudiskip.scan.savings.join.Plans.scan;
import static io.hudiskip.scan.savings.join.Plans.select;
import static io.hudiskip.scan.savings.join.Plans.sink;
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
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.PlanUtils;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.plan.TopNKeyDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNegative;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.junit.jupiter.api.Test;

class SortedRowsTest {
  private final TableScanOperator scan = scan(null);
  private final MapWork work = new MapWork();

  @Test
  void areThoseOfAnOrderAndALimit() {
    sorted(select(scan, column("c"), "_col0"), column("_col0"));
    assertThat(rows()).hasToString("[first 10 by c desc nulls last]");
  }

  @Test
  void mayBeTakenByAnOperatorBeforeTheSort() {
    Operator<?> first = topNKey(scan, 7, column("c"), Collections.emptyList());
    sorted(select(first, column("c"), "_col0"), column("_col0")).setTopN(-1);
    assertThat(rows()).hasToString("[first 7 by c desc nulls last]");
  }

  @Test
  void areNotThoseOfALaterSinkWhoseOperatorIsBeforeTheSort() {
    Operator<?> first = topNKey(scan, 7, column("c"), Collections.emptyList());
    ReduceSinkDesc unlimited = sorted(first, column("c"));
    unlimited.setTopN(-1);
    unlimited.setTopNMemoryUsage(-1);
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownIfAnOperatorTakesOthersBefore() {
    sorted(topNKey(scan, 5, column("c"), Collections.emptyList()), column("c"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownIfAnOperatorTakesThoseOfEachPartition() {
    sorted(topNKey(scan, 10, column("c"), Collections.singletonList(column("d"))), column("c"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areThoseThatAFilterLeaves() {
    sorted(filter(scan, call(new GenericUDFOPNotNull(), column("d"))), column("c"));
    assertThat(rows()).hasToString("[first 10 by c desc nulls last]");
    assertThat(NeededRows.of(work, scan).flatMap(NeededRows::filter))
        .hasValueSatisfying(
            filter -> assertThat(filter.getExprString()).isEqualTo("d is not null"));
  }

  @Test
  void areNotKnownUnderAFilterOfOtherRowsThanTheScans() {
    Operator<?> renamed = select(scan, column("c"), "_col0");
    sorted(filter(renamed, call(new GenericUDFOPNotNull(), column("_col0"))), column("_col0"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownUnderAFilterThatEndsEarly() {
    Operator<?> filter = filter(scan, call(new GenericUDFOPNotNull(), column("d")));
    ((FilterDesc) filter.getConf()).setSortedFilter(true);
    sorted(filter, column("c"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownIfOnlyTheScanHasTheFilter() {
    scan.getConf().setFilterExpr(call(new GenericUDFOPNotNull(), column("d")));
    sorted(scan, column("c"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownUnderAnotherLimit() {
    sorted(limit(scan), column("c"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownIfRowsGoSeveralWays() {
    sorted(scan, column("c"));
    select(scan, column("c"), "_col0");
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownOfASample() {
    sorted(scan, column("c"));
    work.getNameToSplitSample().put("t", new SplitSample(10.0, 0));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownOfAComputedKey() {
    ExprNodeDesc computed = call(new GenericUDFOPNegative(), column("c"));
    sorted(select(scan, computed, "_col0"), column("_col0"));
    assertThat(rows()).isEmpty();
  }

  @Test
  void areNotKnownForTypesThatHiveSortsInItsOwnWay() {
    for (TypeInfo type :
        Arrays.asList(
            TypeInfoFactory.doubleTypeInfo,
            TypeInfoFactory.getCharTypeInfo(3),
            TypeInfoFactory.getVarcharTypeInfo(3),
            TypeInfoFactory.binaryTypeInfo,
            TypeInfoFactory.getTimestampTZTypeInfo(null))) {
      TableScanOperator own = scan(null);
      sorted(own, new ExprNodeColumnDesc(type, "c", "t", false));
      assertThat(NeededRows.of(work, own)).as("%s", type).isEmpty();
    }
  }

  @Test
  void areNotKnownForSinksOfOtherStatements() {
    List<Consumer<ReduceSinkDesc>> changes =
        Arrays.asList(
            sink -> sink.setTopN(-1),
            sink -> sink.setTopN(-2_147_483_639), // LIMIT 2147483647 OFFSET 10
            sink -> sink.setNumReducers(2),
            sink -> sink.setNumReducers(-1),
            sink -> sink.setMapGroupBy(true),
            sink -> sink.setPTFReduceSink(true),
            sink ->
                sink.setDistinctColumnIndices(
                    Collections.singletonList(Collections.singletonList(0))),
            sink -> sink.setPartitionCols(new ArrayList<>(Arrays.asList(column("c")))));
    for (Consumer<ReduceSinkDesc> change : changes) {
      TableScanOperator own = scan(null);
      ReduceSinkDesc sink = sorted(own, column("c"));
      assertThat(NeededRows.of(work, own)).isPresent();
      change.accept(sink);
      assertThat(NeededRows.of(work, own)).isEmpty();
    }
  }

  private List<FirstRows> rows() {
    return NeededRows.of(work, scan).map(NeededRows::orders).orElse(Collections.emptyList());
  }

  /** {@code ORDER BY key DESC NULLS LAST LIMIT 10}. */
  private static ReduceSinkDesc sorted(Operator<?> parent, ExprNodeDesc key) {
    ReduceSinkDesc sink = sink(parent, key).getConf();
    sink.setTopN(10);
    sink.setTopNMemoryUsage(0.1f);
    sink.setNumReducers(1);
    sink.setPartitionCols(new ArrayList<>());
    sink.setDistinctColumnIndices(new ArrayList<>());
    sink.setKeySerializeInfo(PlanUtils.getReduceKeyTableDesc(Collections.emptyList(), "-", "z"));
    return sink;
  }

  private static Operator<?> topNKey(
      Operator<?> parent, int count, ExprNodeDesc key, List<ExprNodeDesc> partition) {
    TopNKeyDesc desc =
        new TopNKeyDesc(count, "-", "z", Collections.singletonList(key), partition, 0.8f, 1, 1);
    return OperatorFactory.getAndMakeChild(desc, new RowSchema(), parent);
  }
}
