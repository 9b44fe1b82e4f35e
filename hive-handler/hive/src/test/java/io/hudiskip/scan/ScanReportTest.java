// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.index.IndexState;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.junit.jupiter.api.Test;

class ScanReportTest {
  private static final Path TABLE = new Path("file:/warehouse/flights");
  private static final Candidates LISTED =
      new Candidates(
          Arrays.asList(slice(300), slice(700)),
          TableTotals.of(Arrays.asList(slice(300), slice(700))),
          "files: no commit was seen");
  private static final List<FileSlice> ONE_OF_THEM = Collections.singletonList(slice(300));

  @Test
  void logsWhatWasSelectedAndFromWhat() {
    FileSelection selection = selection("s EQ 'a \"b\" \\'", 0);
    assertThat(report(scan(job()), ONE_OF_THEM, selection).line(12).toString())
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=2 kept=1 bytes=1000"
                + " kept_bytes=300 generation=3 instant=20260101120000000 source=pushed"
                + " listing=\"files: no commit was seen\" ms=12"
                + " expression=\"s EQ 'a \\\"b\\\" \\\\'\"");
  }

  @Test
  void logsWhyNothingWasSkippedInOneLine() {
    assertThat(
            report(
                    scan(job()),
                    LISTED.slices(),
                    FileSelection.all(2, new KeepAllFilesException("no index:\nbuild one")))
                .line(5)
                .toString())
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=2 kept=2 bytes=1000"
                + " kept_bytes=1000 source=none ms=5 reason=\"no index: build one\"");
  }

  @Test
  void logsThatNothingWasListedForAFilterThatIsNeverTrue() {
    assertThat(ScanReport.notListed(scan(job()), TableTotals.NONE).line(5).toString())
        .isEqualTo(
            "hudi-skip scan query=q1 tag=demo table=/warehouse/flights files=0 kept=0 bytes=0"
                + " kept_bytes=0 source=none ms=5 expression=none");
  }

  @Test
  void logsThatTheSelectionIsOnlyAShadow() {
    JobConf job = job();
    job.set("hudi.skipping.mode", "shadow");
    assertThat(report(scan(job), ONE_OF_THEM, selection("id EQ 1", 0)).line(12).toString())
        .contains(" table=/warehouse/flights mode=shadow files=2 kept=1 ");
  }

  @Test
  void countsTheTermsWhoseValuesAreKnownOnlyAtRunTime() {
    assertThat(report(scan(job()), ONE_OF_THEM, selection("id = 1", 2)).line(1).toString())
        .contains(" dynamic_terms=2 generation=3 ");
    KeepAllFilesException reason = new KeepAllFilesException("no index");
    assertThat(
            report(scan(job()), LISTED.slices(), FileSelection.all(2, reason.withDynamicTerms(1)))
                .line(1)
                .toString())
        .contains(" dynamic_terms=1 source=none ")
        .endsWith("reason=\"no index\"");
  }

  @Test
  void namesATableThatIsNotLocalByItsUri() {
    TableScan scan = new TableScan(job(), new Path("hdfs://lake:8020/warehouse/flights"));
    assertThat(ScanReport.notListed(scan, TableTotals.NONE).line(5).toString())
        .contains(" table=hdfs://lake:8020/warehouse/flights files=0 ");
  }

  private static ScanReport report(
      TableScan scan, List<FileSlice> opened, FileSelection selection) {
    return ScanReport.of(scan, LISTED, opened, CoveredFiles.NONE, selection, Optional.empty());
  }

  private static FileSelection selection(String expression, int dynamicTerms) {
    IndexState state = IndexState.of(3, "20260101120000000");
    return new FileSelection(new BitSet(), "pushed", state, expression, dynamicTerms, null);
  }

  private static FileSlice slice(long size) {
    FileSlice slice = new FileSlice("2026", "20260101120000000", "f" + size);
    slice.setBaseFile(
        new HoodieBaseFile(
            new StoragePathInfo(
                new StoragePath("file:/warehouse/flights/2026/f" + size + "_0-0-0_2026.parquet"),
                size,
                false,
                (short) 1,
                1,
                0)));
    return slice;
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
