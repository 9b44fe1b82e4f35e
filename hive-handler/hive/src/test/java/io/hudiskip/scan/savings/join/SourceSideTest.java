// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.column;
import static io.hudiskip.scan.savings.join.Plans.constant;
import static io.hudiskip.scan.savings.join.Plans.filter;
import static io.hudiskip.scan.savings.join.Plans.groupBy;
import static io.hudiskip.scan.savings.join.Plans.join;
import static io.hudiskip.scan.savings.join.Plans.select;
import static io.hudiskip.scan.savings.join.Plans.sink;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.JoinDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualNS;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SourceSideTest {
  private static final ExprNodeDesc NOT_NULL = call(new GenericUDFOPNotNull(), column("c"));
  private static final ExprNodeDesc OTHER =
      call(new GenericUDFOPEqual(), column("d"), constant(1L));

  static Stream<ExprNodeDesc> conditionsThatRejectNull() {
    return Stream.of(
        call(new GenericUDFOPEqual(), column("c"), constant(1L)),
        call(new GenericUDFOPGreaterThan(), constant(1L), column("c")),
        call(new GenericUDFIn(), column("c"), constant(1L), constant(2L)),
        call(new GenericUDFBetween(), constant(false), column("c"), constant(1L), constant(2L)));
  }

  @ParameterizedTest
  @MethodSource("conditionsThatRejectNull")
  void takesAFilterOfTheKey(ExprNodeDesc condition) {
    assertThat(objection(filter(scan("1000000"), condition), "c")).isEmpty();
  }

  static Stream<ExprNodeDesc> conditionsThatNullMayPass() {
    return Stream.of(
        OTHER,
        call(new GenericUDFOPNull(), column("c")),
        call(new GenericUDFOPNotNull(), column("d")),
        call(new GenericUDFOPEqualNS(), column("c"), constant(null)),
        call(new GenericUDFOPOr(), NOT_NULL, OTHER));
  }

  @ParameterizedTest
  @MethodSource("conditionsThatNullMayPass")
  void refusesAKeyThatMayBeNull(ExprNodeDesc condition) {
    assertThat(objection(filter(scan("10"), condition), "c")).get().asString().contains("NULL");
  }

  @Test
  void wantsAFilterOrASmallTable() {
    assertThat(objection(filter(scan("1000000"), NOT_NULL), "c"))
        .get()
        .asString()
        .contains("1000000 rows");
    assertThat(objection(filter(scan(null), NOT_NULL), "c"))
        .get()
        .asString()
        .contains("neither statistics nor few small files");
    assertThat(objection(filter(scan("1000"), NOT_NULL), "c")).isEmpty();
    assertThat(objection(filter(filter(scan("1000000"), NOT_NULL), OTHER), "c")).isEmpty();
  }

  /** Hive would keep only one direction of a join, and not the better one. */
  @Test
  void wantsASourceThatIsSmallerThanTheScan() {
    Operator<?> all = filter(scan("1000"), NOT_NULL);
    assertThat(objection(all, "c", scan("1001"))).isEmpty();
    assertThat(objection(all, "c", scan("1000"))).get().asString().contains("not smaller");
    Operator<?> filtered = filter(filter(scan("1000"), NOT_NULL), OTHER);
    assertThat(objection(filtered, "c", scan("1000"))).isEmpty();
    TableScanOperator filteredTarget = scan("1000");
    filter(filteredTarget, OTHER);
    assertThat(objection(filtered, "c", filteredTarget)).isPresent();
  }

  @Test
  void takesFewSmallFilesWhoseRowsAreNotKnown(@TempDir Path directory) throws IOException {
    Table table = new Table("default", "t");
    table.setDataLocation(new org.apache.hadoop.fs.Path(directory.toUri()));
    Operator<?> all = filter(Plans.scan(table), NOT_NULL);
    assertThat(objection(all, "c", scan(null)))
        .as("no file, and partitions elsewhere?")
        .isPresent();
    Files.write(directory.resolve("000000_0"), new byte[10]);
    assertThat(objection(all, "c", scan(null))).isEmpty();
    table.getParameters().put(StatsSetupConst.ROW_COUNT, "0");
    assertThat(objection(all, "c", scan(null))).as("never analyzed").isEmpty();
  }

  @Test
  void followsTheKeyThroughSelectsGroupsAndInnerJoins() {
    Operator<?> grouped =
        groupBy(
            select(filter(scan("10"), NOT_NULL), column("c"), "_col0"), column("_col0"), "_col1");
    assertThat(objection(grouped, "_col1")).isEmpty();
    ReduceSinkOperator left = sink(filter(scan("10"), NOT_NULL), column("c"));
    Operator<?> inner = join(JoinDesc.INNER_JOIN, left, sink(scan("10"), column("c")));
    assertThat(objection(inner, "j")).isEmpty();
  }

  @Test
  void anOuterJoinAddsNulls() {
    ReduceSinkOperator left = sink(filter(scan("10"), NOT_NULL), column("c"));
    Operator<?> outer = join(JoinDesc.RIGHT_OUTER_JOIN, left, sink(scan("10"), column("c")));
    assertThat(objection(outer, "j")).get().asString().contains("NULL");
    assertThat(objection(filter(outer, call(new GenericUDFOPNotNull(), column("j"))), "j"))
        .as("a filter after it; from which table the rows are is not followed")
        .get()
        .asString()
        .contains("not filtered");
  }

  @Test
  void anAggregateIsOneRowAndMayBeNull() {
    Operator<?> aggregate = groupBy(scan("1000000"), null, "_col0");
    assertThat(objection(aggregate, "_col0")).get().asString().contains("NULL");
    Operator<?> known = filter(aggregate, call(new GenericUDFOPNotNull(), column("_col0")));
    assertThat(objection(known, "_col0")).isEmpty();
  }

  @Test
  void aConstantIsOneValue() {
    Operator<?> selected = select(scan("1000000"), constant(7L), "_col0");
    assertThat(objection(selected, "_col0")).isEmpty();
    assertThat(objection(select(scan("10"), constant(null), "_col0"), "_col0")).isPresent();
    assertThat(objection(select(filter(scan("10"), NOT_NULL), NOT_NULL, "_col0"), "_col0"))
        .as("an expression")
        .isPresent();
  }

  private static TableScanOperator scan(String rows) {
    Table table = new Table("default", "t");
    if (rows != null) {
      table.getParameters().put(StatsSetupConst.ROW_COUNT, rows);
    }
    return Plans.scan(table);
  }

  private static Optional<String> objection(Operator<?> operator, String key) {
    return objection(operator, key, scan("100000000"));
  }

  private static Optional<String> objection(
      Operator<?> operator, String key, TableScanOperator target) {
    return SourceSide.objection(
            sink(operator, column(key)), column(key), target, new Configuration())
        .map(Objection::reason);
  }
}
