/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class ScanLogTest {
  private static final Path TABLE = new Path("file:/warehouse/flights");
  private static final FileStatus A = new FileStatus(300, false, 1, 1, 0, new Path(TABLE, "a"));
  private static final FileStatus B = new FileStatus(700, false, 1, 1, 0, new Path(TABLE, "b"));
  private static final List<FileStatus> LISTING = Arrays.asList(A, B);

  @Test
  void saysWhatWasSelectedAndBy() {
    FileSelection selection =
        new FileSelection(
            new BitSet(), "pushed", 3, "20260101120000000", "s EQ 'a \"b\" \\'", 0, null);
    assertThat(
            ScanLog.selectedLine(scan(job()), LISTING, Collections.singletonList(A), selection, 12))
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=2 kept=1 bytes=1000"
                + " kept_bytes=300 generation=3 instant=20260101120000000 source=pushed ms=12"
                + " expression=\"s EQ 'a \\\"b\\\" \\\\'\"");
  }

  @Test
  void saysWhyNothingWasSkippedInOneLine() {
    assertThat(
            ScanLog.keptAllLine(
                scan(job()), LISTING, new KeepAllFilesException("no index:\nbuild one"), 5))
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=2 kept=2 bytes=1000"
                + " kept_bytes=1000 source=none ms=5 reason=\"no index: build one\"");
  }

  @Test
  void saysThatNothingWasListedForAFilterThatIsNeverTrue() {
    assertThat(ScanLog.notListedLine(scan(job()), Optional.empty(), 5))
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=0 kept=0 bytes=0"
                + " kept_bytes=0 source=none ms=5 expression=none");
  }

  @Test
  void saysThatTheSelectionIsOnlyAShadow() {
    JobConf job = job();
    job.set("hudi.skipping.mode", "shadow");
    FileSelection selection =
        new FileSelection(new BitSet(), "pushed", 3, "2026", "id EQ 1", 0, null);
    assertThat(
            ScanLog.selectedLine(scan(job), LISTING, Collections.singletonList(A), selection, 12))
        .contains(" table=/warehouse/flights mode=shadow files=2 kept=1 ");
  }

  @Test
  void countsTheTermsWhoseValuesAreKnownOnlyAtRunTime() {
    FileSelection selection =
        new FileSelection(new BitSet(), "pushed", 3, "2026", "id = 1", 2, null);
    assertThat(
            ScanLog.selectedLine(scan(job()), LISTING, Collections.singletonList(A), selection, 1))
        .contains(" dynamic_terms=2 generation=3 ");
    KeepAllFilesException reason = new KeepAllFilesException("no index");
    assertThat(ScanLog.keptAllLine(scan(job()), LISTING, reason.withDynamicTerms(1), 1))
        .contains(" dynamic_terms=1 source=none ")
        .endsWith("reason=\"no index\"");
  }

  private static TableScan scan(JobConf job) {
    return new TableScan(job, TABLE);
  }

  private static JobConf job() {
    JobConf job = new JobConf(false);
    job.set("hive.query.id", "q1");
    job.set("hive.query.tag", "demo");
    return job;
  }
}
