// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static io.hudiskip.compile.filter.HiveFilters.and;
import static io.hudiskip.hive.HiveJobs.idEquals;
import static io.hudiskip.hive.HiveJobs.idIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScanFilterTest {
  private static final ExprNodeGenericFuncDesc[] NO_FILTER = {null};
  private static final String TABLE = "file:/warehouse/flights";
  private static final String OTHER = "file:/warehouse/flights2";
  private static final String DIFFERS = "differs from the filter of the scan";

  @ParameterizedTest
  @ValueSource(strings = {"tez", "mr"})
  void isTheFilterOfTheOnlyScan(String engine) throws Exception {
    JobConf job = HiveJobs.engine(engine, TABLE, idEquals(7), idEquals(7));
    assertThat(textOf(job, TABLE)).isEqualTo("(id = 7L)");
    assertThat(textOf(job, "/warehouse/flights"))
        .as("Hive names a path with and without a scheme")
        .isEqualTo("(id = 7L)");
    assertThat(textOf(job, TABLE + "/2026/a.parquet")).as("a file").isEqualTo("(id = 7L)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tez", "mr"})
  void isEmptyForAScanWithoutAFilter(String engine) throws Exception {
    JobConf job = HiveJobs.engine(engine, TABLE, null, NO_FILTER);
    assertThat(ScanFilter.of(job, new Path(TABLE)).expression()).isEmpty();
  }

  @Test
  void isThatOfTheFetchTaskWhichHasNoPlan() throws Exception {
    assertThat(textOf(HiveJobs.fetch(TABLE, idEquals(7)), TABLE)).isEqualTo("(id = 7L)");
    assertThat(ScanFilter.of(HiveJobs.fetch(TABLE, null), new Path(TABLE)).expression()).isEmpty();
  }

  /**
   * On MapReduce, {@code t1 WHERE … UNION ALL t2 WHERE … UNION ALL t2 WHERE …} lists t2 with t1's
   * filter.
   */
  static Stream<Arguments> uncertainJobs() {
    return Stream.of(
        arguments(HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(1), idEquals(2)), "2 scans"),
        arguments(HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(7), null), "2 scans"),
        arguments(HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(8)), DIFFERS),
        arguments(HiveJobs.engine("mr", TABLE, idEquals(7), NO_FILTER), DIFFERS),
        arguments(HiveJobs.engine("tez", OTHER, idEquals(7), idEquals(7)), "0 scans"),
        arguments(HiveJobs.fetch(OTHER, idEquals(7)), "plan of the job was not found"));
  }

  @ParameterizedTest
  @MethodSource("uncertainJobs")
  void isUncertainUnlessTheOnlyScanOfThePathHasIt(JobConf job, String reason) {
    assertThatThrownBy(() -> ScanFilter.of(job, new Path(TABLE)))
        .isInstanceOf(KeepAllFilesException.class)
        .hasMessageContaining(reason);
  }

  private static String textOf(JobConf job, String path) throws KeepAllFilesException {
    return ScanFilter.of(job, new Path(path)).expression().get().getExprString();
  }

  private static JobConf joined(ExprNodeGenericFuncDesc filter, ExprNodeDesc... lists)
      throws Exception {
    return HiveJobs.joined(TABLE, filter, lists);
  }

  @Test
  void separatesTheValuesOfAJoinFromTheFilter() throws Exception {
    ScanFilter filter = ScanFilter.of(joined(idEquals(7), idIn(1L, 7L)), new Path(TABLE));
    assertThat(filter.typed().fingerprint()).isEqualTo(TypedFilter.of(idEquals(7)).fingerprint());
    assertThat(filter.joins().text()).isEqualTo("id: 2 values");
    CompiledFilter compiled =
        CompiledFilter.of(joined(idEquals(7), idIn(1L, 7L)), filter, new Path(TABLE));
    assertThat(compiled.expression()).hasToString("id = 7 and id in (1, 7)");
    assertThat(compiled.source()).as("needs no compiler").isEqualTo("pushed");
  }

  @Test
  void theTrueThatHiveLeavesChangesNothing() throws Exception {
    ExprNodeDesc isTrue = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, true);
    JobConf job = joined(idEquals(7), isTrue, idIn(1L));
    assertThat(ScanFilter.of(job, new Path(TABLE)).typed().fingerprint())
        .isEqualTo(TypedFilter.of(idEquals(7)).fingerprint());
  }

  @Test
  void theValuesOfAJoinAloneChooseFiles() throws Exception {
    JobConf job = joined(null, idIn(5L));
    ScanFilter filter = ScanFilter.of(job, new Path(TABLE));
    assertThat(filter.typed().isEmpty()).isTrue();
    assertThat(filter.isEmpty()).isFalse();
    CompiledFilter compiled = CompiledFilter.of(job, filter, new Path(TABLE));
    assertThat(compiled.expression()).hasToString("id in (5)");
    assertThat(compiled.source()).isEqualTo("joins");
  }

  @Test
  void hiveCanEvaluateTheFilterWithValues() throws Exception {
    assertThat(ScanFilter.of(joined(idEquals(7), idIn(1L, 7L)), new Path(TABLE)).withValues())
        .map(ExprNodeDesc::getExprString)
        .contains("(true and (id = 7L) and (id) IN (1L, 7L))");
    assertThat(ScanFilter.of(joined(null, idIn()), new Path(TABLE)).withValues())
        .as("no row has a partner")
        .map(ExprNodeDesc::getExprString)
        .contains("(true and false)");
    assertThat(ScanFilter.of(HiveJobs.fetch(TABLE, idEquals(7)), new Path(TABLE)).withValues())
        .isEmpty();
  }

  /** Hive drops an event that is too large; the list at the end is then the scan's own. */
  @Test
  void aListOfTheFilterItselfIsNoValueOfAJoin() throws Exception {
    ExprNodeGenericFuncDesc own = and(idEquals(7), idIn(7L, 8L));
    JobConf job = joined(null, own);
    byte[] fingerprint = TypedFilter.of(own).fingerprint();
    job.set(
        TableScanDesc.FILTER_OBJECT_CONF_STR,
        SerializationUtilities.serializeObject(
            new PushedExpression(fingerprint, new byte[0], null)));
    ScanFilter filter = ScanFilter.of(job, new Path(TABLE));
    assertThat(filter.typed().fingerprint()).isEqualTo(fingerprint);
    assertThat(filter.joins().text()).startsWith("id: none arrived");
  }

  @Test
  void refusesAFilterWithValuesThatThePlanLacks() throws Exception {
    JobConf job = joined(idEquals(7), idIn(1L));
    job.set(
        TableScanDesc.FILTER_EXPR_CONF_STR,
        SerializationUtilities.serializeExpression(and(idEquals(7), idIn(2L))));
    assertThatThrownBy(() -> ScanFilter.of(job, new Path(TABLE)))
        .isInstanceOf(KeepAllFilesException.class)
        .hasMessageContaining(DIFFERS);
  }
}
