// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.CountingReporter;
import io.hudiskip.hive.metrics.JobCounters;
import io.hudiskip.scan.TableScan;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class ShadowLogTest {
  private static final StructObjectInspector ROWS =
      ObjectInspectorFactory.getStandardStructObjectInspector(
          Arrays.asList("id", "city", "other"),
          Collections.nCopies(3, PrimitiveObjectInspectorFactory.javaStringObjectInspector));

  private final CountingReporter counters = new CountingReporter();
  private final ShadowFindings findings =
      new ShadowFindings(ROWS, new TreeSet<>(Arrays.asList("id", "city")));

  @Test
  void showsTheFilterColumnsOfTheFirstViolation() {
    findings.add(row("1", "a", ""), false);
    findings.add(row("2", null, "x"), true);
    findings.add(row("3", "c", "x"), true);
    assertThat(log(0).checkedLine(findings, 7).toString())
        .endsWith(" rows=3 violations=2 ms=7 row=\"city: null, id: \\\"2\\\"\"");
  }

  @Test
  void cutsLongValues() {
    findings.add(row("2", String.join("", Collections.nCopies(5_000, "x")), ""), true);
    assertThat(log(0).checkedLine(findings, 7).toString()).hasSizeBetween(1_000, 1_200);
  }

  @Test
  void logsWhyACheckFailed() {
    assertThat(log(0).failedLine(new IllegalStateException("no column x")).toString())
        .endsWith(" start=0 error=\"java.lang.IllegalStateException: no column x\"");
  }

  @Test
  void countsAFileOnceHoweverManySplitsItHas() {
    log(0).checked(findings, 7);
    log(4_000).checked(findings, 7);
    assertThat(counters.of("shadow.files")).isOne();
  }

  private ShadowLog log(long start) {
    JobConf job = new JobConf(false);
    job.set("hive.query.id", "q1");
    job.set("hive.query.tag", "demo");
    job.set("hive.execution.engine", "tez");
    FileSplit split =
        new FileSplit(new Path("file:/lake/flights/2026/a.parquet"), start, 10, (String[]) null);
    return new ShadowLog(
        TableScan.start(job, new Path("file:/lake/flights")),
        split,
        JobCounters.of(true, job, counters));
  }

  private static List<String> row(String... values) {
    return Arrays.asList(values);
  }
}
