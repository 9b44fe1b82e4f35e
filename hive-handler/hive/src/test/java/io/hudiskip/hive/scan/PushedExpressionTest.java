// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.wire.TypedFilter;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class PushedExpressionTest {
  private static final byte[] EXPRESSION = {1, 2, 3};
  private static final byte[] PLAN = {4, 5};

  @Test
  void arrivesInTheJobConfigurationAsHiveCarriesIt() {
    TypedFilter filter = TypedFilter.of(idEquals(7));
    PushedExpression pushed = PushedExpression.of(jobWith(filter, PLAN), filter).get();
    assertThat(pushed.expression()).isEqualTo(EXPRESSION);
    assertThat(pushed.plan()).hasValueSatisfying(plan -> assertThat(plan).isEqualTo(PLAN));
  }

  @Test
  void mayComeWithoutAPlan() {
    TypedFilter filter = TypedFilter.of(idEquals(7));
    assertThat(PushedExpression.of(jobWith(filter, null), filter).get().plan()).isEmpty();
  }

  /** With shared work, a scan has the filters of several scans and the object of one of them. */
  @Test
  void isNotUsedForAnotherFilter() {
    JobConf job = jobWith(TypedFilter.of(idEquals(7)), PLAN);
    assertThat(PushedExpression.of(job, TypedFilter.of(idEquals(8)))).isEmpty();
  }

  @Test
  void mayBeMissing() {
    assertThat(PushedExpression.of(new JobConf(false), TypedFilter.of(idEquals(7)))).isEmpty();
  }

  private static JobConf jobWith(TypedFilter filter, byte[] plan) {
    JobConf job = new JobConf(false);
    job.set(
        TableScanDesc.FILTER_OBJECT_CONF_STR,
        SerializationUtilities.serializeObject(
            new PushedExpression(filter.fingerprint(), EXPRESSION, plan)));
    return job;
  }
}
