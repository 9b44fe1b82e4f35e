// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.filter;
import static io.hudiskip.scan.savings.join.Plans.limit;
import static io.hudiskip.scan.savings.join.Plans.scan;
import static io.hudiskip.scan.savings.join.Plans.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.filter.Complement;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.hive.HiveJobs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.exec.ColumnInfo;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.ql.parse.SplitSample;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNumericPlus;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.junit.jupiter.api.Test;

class UsedColumnsTest {
  private static final ExprNodeDesc FILTER = call(new GenericUDFOPNotNull(), column("c"));

  private final TableScanOperator scan = scan(null);
  private final MapWork work = new MapWork();

  @Test
  void ofACountAreThoseOfTheFilter() {
    noColumn(filter(scan, FILTER));
    FilteredColumns filtered = filtered(scan).get();
    assertThat(filtered.filter()).isSameAs(FILTER);
    assertThat(filtered.behind()).isEmpty();
    assertThat(filtered.all()).extracting(ReadColumn::name).containsExactly("c");
  }

  @Test
  void behindAFilterAreThoseOfTheProjection() {
    ExprNodeDesc sum = call(new GenericUDFOPNumericPlus(), column("d"), column("c"));
    limit(select(filter(scan, FILTER), sum, "_col0"));
    FilteredColumns filtered = filtered(scan).get();
    assertThat(filtered.behind()).extracting(ReadColumn::name).containsExactlyInAnyOrder("c", "d");
    assertThat(filtered.all()).extracting(ReadColumn::name).containsExactly("c", "d");
  }

  @Test
  void behindAFilterAreNotKnownWithoutOneAndAProjection() {
    noColumn(scan);
    assertThat(filtered(scan)).isEmpty();
    TableScanOperator limited = scan(null);
    noColumn(limit(filter(limited, FILTER)));
    assertThat(filtered(limited)).as("another operator between").isEmpty();
    TableScanOperator twice = scan(null);
    noColumn(filter(filter(twice, FILTER), FILTER));
    assertThat(filtered(twice)).as("two filters").isEmpty();
    TableScanOperator unprojected = scan(null);
    limit(filter(unprojected, FILTER));
    assertThat(filtered(unprojected)).isEmpty();
    TableScanOperator all = scan(null);
    SelectDesc star = new SelectDesc(true);
    OperatorFactory.getAndMakeChild(star, new RowSchema(), filter(all, FILTER));
    assertThat(filtered(all)).as("SELECT *").isEmpty();
  }

  @Test
  void mustBePlainColumns() {
    ExprNodeDesc list =
        new ExprNodeColumnDesc(
            TypeInfoFactory.getListTypeInfo(TypeInfoFactory.intTypeInfo), "l", "t", false);
    select(filter(scan, FILTER), list, "_col0");
    assertThat(filtered(scan)).as("a list").isEmpty();
    TableScanOperator virtual = scan(null);
    ExprNodeDesc file =
        new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, "INPUT__FILE__NAME", "t", true);
    select(filter(virtual, FILTER), file, "_col0");
    assertThat(filtered(virtual)).as("a virtual column").isEmpty();
    TableScanOperator field = scan(null);
    ExprNodeDesc x = new ExprNodeFieldDesc(TypeInfoFactory.longTypeInfo, column("st"), "x", false);
    noColumn(filter(field, call(new GenericUDFOPNotNull(), x)));
    assertThat(filtered(field)).as("a field").isEmpty();
  }

  @Test
  void ofAScanAreThoseThatHiveReads() {
    assertThat(ofScan()).as("unknown ones").isEmpty();
    scan.setSchema(
        new RowSchema(
            new ArrayList<>(
                Arrays.asList(
                    info("a", TypeInfoFactory.intTypeInfo),
                    info("b", TypeInfoFactory.stringTypeInfo),
                    info("l", TypeInfoFactory.getListTypeInfo(TypeInfoFactory.intTypeInfo))))));
    assertThat(ofScan()).as("all").isEmpty();
    scan.getConf().setNeededColumns(Arrays.asList("b", "A"));
    assertThat(ofScan().get()).extracting(ReadColumn::name).containsExactly("b", "a");
    scan.getConf().setNeededColumns(Arrays.asList("a", "l"));
    assertThat(ofScan()).as("a list").isEmpty();
    scan.getConf().setNeededColumns(Arrays.asList("a", "z"));
    assertThat(ofScan()).as("a column of an unknown type").isEmpty();
    scan.getConf().setNeededColumns(new ArrayList<>());
    assertThat(ofScan().get()).as("none").isEmpty();
  }

  @Test
  void ofAScanBeginWithThoseOfTheFilter() {
    scan.setSchema(
        new RowSchema(
            new ArrayList<>(
                Arrays.asList(
                    info("a", TypeInfoFactory.intTypeInfo),
                    info("c", TypeInfoFactory.longTypeInfo)))));
    scan.getConf().setNeededColumns(Arrays.asList("a", "c"));
    noColumn(filter(scan, FILTER));
    assertThat(ofScan().get()).extracting(ReadColumn::name).containsExactly("c", "a");
  }

  @Test
  void behindAFilterAreNotKnownIfRowsGoSeveralWays() {
    noColumn(filter(scan, FILTER));
    limit(scan);
    assertThat(filtered(scan)).as("from the scan").isEmpty();
    TableScanOperator shared = scan(null);
    Operator<?> filter = filter(shared, FILTER);
    noColumn(filter);
    limit(filter);
    assertThat(filtered(shared)).as("from the filter").isEmpty();
    TableScanOperator projected = scan(null);
    Operator<?> select = noColumn(filter(projected, FILTER));
    limit(select);
    limit(select);
    assertThat(filtered(projected)).as("from the projection, which uses no more").isPresent();
  }

  @Test
  void areNotAllOfASample() {
    scan.getConf().setRowLimit(3);
    assertThat(UsedColumns.of(work, scan)).as("TABLESAMPLE (3 ROWS)").isEmpty();
    scan.getConf().setRowLimit(-1);
    assertThat(UsedColumns.of(work, scan)).isPresent();
    work.getNameToSplitSample().put("t", new SplitSample(10.0, 0));
    assertThat(UsedColumns.of(work, scan)).as("TABLESAMPLE (10 PERCENT)").isEmpty();
  }

  @Test
  void areNotAllOfAScanWithVirtualColumnsOrStatistics() {
    scan.getConf().setVirtualCols(Collections.singletonList(VirtualColumn.FILENAME));
    assertThat(UsedColumns.of(work, scan)).isEmpty();
    scan.getConf().setVirtualCols(new ArrayList<>());
    assertThat(UsedColumns.of(work, scan)).isPresent();
    scan.getConf().setGatherStats(true);
    assertThat(UsedColumns.of(work, scan)).isEmpty();
  }

  @Test
  void behindAFilterAreNotKnownIfItDoesMoreThanFilter() {
    List<Consumer<FilterDesc>> changes =
        Arrays.asList(
            desc -> desc.setIsSamplingPred(true), // TABLESAMPLE (BUCKET …)
            desc -> desc.setSortedFilter(true));
    for (Consumer<FilterDesc> change : changes) {
      TableScanOperator own = scan(null);
      FilterDesc desc = new FilterDesc(FILTER, false);
      noColumn(OperatorFactory.getAndMakeChild(desc, new RowSchema(), own));
      assertThat(filtered(own)).isPresent();
      change.accept(desc);
      assertThat(filtered(own)).isEmpty();
    }
  }

  @Test
  void aFilterHasNoComplementIfItHasValuesThatAreKnownOnlyAtRunTime() {
    ExprNodeGenericFuncDesc filter = HiveJobs.idBetween(1, 2);
    filter
        .getChildren()
        .set(
            1,
            new ExprNodeDynamicValueDesc(
                new DynamicValue("RS_7_id_min", TypeInfoFactory.getPrimitiveTypeInfo("bigint"))));
    assertThat(TypedFilter.of(filter).isEmpty()).as("the filter without them is weaker").isFalse();
    assertThat(TypedFilter.of(Complement.of(filter)).isEmpty()).isTrue();
  }

  private Optional<FilteredColumns> filtered(TableScanOperator of) {
    return UsedColumns.of(work, of).get().filtered();
  }

  private Optional<List<ReadColumn>> ofScan() {
    return UsedColumns.of(work, scan).get().ofScan();
  }

  private static ColumnInfo info(String name, TypeInfo type) {
    return new ColumnInfo(name, type, "t", false);
  }

  /** A SELECT of nothing. */
  private static Operator<?> noColumn(Operator<?> parent) {
    SelectDesc select = new SelectDesc(new ArrayList<>(), new ArrayList<>());
    return OperatorFactory.getAndMakeChild(select, new RowSchema(), parent);
  }
}
