// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.source.KeepAllFilesException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
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
}
