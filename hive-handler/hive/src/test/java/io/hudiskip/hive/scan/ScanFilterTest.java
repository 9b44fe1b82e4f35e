// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.source.KeepAllFilesException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.JobConf;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanFilterTest {
  private static final ExprNodeGenericFuncDesc[] NO_FILTER = {null};
  private static final String TABLE = "file:/warehouse/flights";

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

  @Test
  void isNotTakenFromTheFetchTaskOfAnotherTable() {
    JobConf job = HiveJobs.fetch("file:/warehouse/flights2", idEquals(7));
    assertUncertain(() -> ScanFilter.of(job, new Path(TABLE)), "plan of the job was not found");
  }

  /**
   * On MapReduce, {@code t1 WHERE … UNION ALL t2 WHERE … UNION ALL t2 WHERE …} lists t2 with t1's
   * filter.
   */
  @Test
  void isUncertainWhenSeveralScansReadThePath() {
    JobConf job = HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(1), idEquals(2));
    assertUncertain(() -> ScanFilter.of(job, new Path(TABLE)), "2 scans");
  }

  @Test
  void isUncertainWhenOneOfSeveralScansHasTheFilter() {
    JobConf job = HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(7), null);
    assertUncertain(() -> ScanFilter.of(job, new Path(TABLE)), "2 scans");
  }

  @Test
  void isUncertainWhenTheConfigurationHasTheFilterOfAnotherScan() {
    JobConf job = HiveJobs.engine("mr", TABLE, idEquals(7), idEquals(8));
    assertUncertain(
        () -> ScanFilter.of(job, new Path(TABLE)), "differs from the filter of the scan");
  }

  @Test
  void isUncertainWhenTheScanHasNoFilterAndTheConfigurationHas() {
    JobConf job = HiveJobs.engine("mr", TABLE, idEquals(7), NO_FILTER);
    assertUncertain(
        () -> ScanFilter.of(job, new Path(TABLE)), "differs from the filter of the scan");
  }

  @Test
  void isUncertainWhenThePlanHasOnlyAnotherTable() {
    JobConf job = HiveJobs.engine("tez", "file:/warehouse/flights2", idEquals(7), idEquals(7));
    assertUncertain(() -> ScanFilter.of(job, new Path(TABLE)), "0 scans");
  }

  private static String textOf(JobConf job, String path) throws KeepAllFilesException {
    return ScanFilter.of(job, new Path(path)).expression().get().getExprString();
  }

  private static void assertUncertain(ThrowingCallable call, String reason) {
    assertThatThrownBy(call).isInstanceOf(KeepAllFilesException.class).hasMessageContaining(reason);
  }
}
