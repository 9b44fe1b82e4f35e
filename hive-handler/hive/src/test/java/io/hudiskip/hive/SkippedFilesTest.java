// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static io.hudiskip.hive.HiveJobs.pushing;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.scan.PushedExpression;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a scan opens: a real Hudi table, a real index, and a filter as Hive pushes it. */
class SkippedFilesTest {
  @TempDir Path directory;

  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATableWithAnIndex() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    high = table.insert("2026", 10, 19);
    new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 10, 19).publish();
  }

  @Test
  void areThoseThatTheFilterCannotMatch() throws Exception {
    assertThat(opened(pushing(idEquals(12), fetch(idEquals(12))))).containsExactly(high);
    assertThat(opened(pushing(idEquals(3), tez(idEquals(3))))).containsExactly(low);
  }

  /** Shared work: the scan got the filter of another query block, and kept its own expression. */
  @Test
  void areNotChosenByTheExpressionOfAnotherFilter() throws Exception {
    assertThat(opened(pushing(idEquals(12), tez(idEquals(3))))).contains(low);
  }

  @Test
  void areNeverThoseThatTheIndexDoesNotKnow() throws Exception {
    String added = table.insert("2026", 500);
    assertThat(opened(pushing(idEquals(3), fetch(idEquals(3)))))
        .as("a commit after the index was made")
        .containsExactlyInAnyOrder(low, added);
  }

  @Test
  void areNoneWhenWhatWasPushedCannotBeRead() throws Exception {
    JobConf job = fetch(idEquals(3));
    job.set(
        TableScanDesc.FILTER_OBJECT_CONF_STR,
        SerializationUtilities.serializeObject(
            new PushedExpression(
                TypedFilter.of(idEquals(3)).fingerprint(),
                "garbage".getBytes(StandardCharsets.UTF_8),
                null)));
    assertThat(opened(job)).as("garbage").containsExactlyInAnyOrder(low, high);
    job.set(TableScanDesc.FILTER_OBJECT_CONF_STR, "no object at all");
    assertThat(opened(job)).as("not even an object").containsExactlyInAnyOrder(low, high);
  }

  private JobConf fetch(ExprNodeGenericFuncDesc filter) {
    return withoutCompiler(HiveJobs.fetch(table.location(), filter));
  }

  private JobConf tez(ExprNodeGenericFuncDesc filter) {
    return withoutCompiler(HiveJobs.engine("tez", table.location(), filter, filter));
  }

  private static JobConf withoutCompiler(JobConf job) {
    job.set("hudi.skipping.compiler.command", "no-such-command-" + UUID.randomUUID());
    return job;
  }

  private static Stream<String> opened(JobConf job) throws Exception {
    return Stream.of(new HudiSkippingInputFormat().listStatus(job))
        .map(file -> file.getPath().getName());
  }
}
