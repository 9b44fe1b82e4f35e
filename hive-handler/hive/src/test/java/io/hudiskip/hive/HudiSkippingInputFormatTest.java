// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.scan.SliceSplit;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedInputFormatInterface;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.FileSlice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HudiSkippingInputFormatTest {
  private final HudiSkippingInputFormat format = new HudiSkippingInputFormat();

  @TempDir Path directory;
  private HudiTestTable table;
  private JobConf job;

  @BeforeEach
  void createATable() throws IOException {
    table = HudiTestTable.partitioned(directory.resolve("table"));
    job = HiveJobs.fetch(table.location(), null);
  }

  @Test
  void leavesTheInputPathsAsTheyAre() throws Exception {
    table.insert("2025", 1);
    String before = job.get("mapreduce.input.fileinputformat.inputdir");
    format.listStatus(job);
    assertThat(job.get("mapreduce.input.fileinputformat.inputdir")).isEqualTo(before);
  }

  /** The configuration's filter may belong to another scan; so may the row-group filter. */
  @Test
  void readsEveryRowGroupWhenSeveralScansReadTheTable() throws Exception {
    table.insert("2025", 1, 2);
    job = HiveJobs.engine("mr", table.location(), idEquals(7), idEquals(1), idEquals(2));
    job.set("hive.io.file.readcolumn.ids", "0,1");
    job.set("hive.io.file.readcolumn.names", "id,city");
    InputSplit[] splits = format.getSplits(job, 1);
    assertThat(splits).hasSize(1);
    RecordReader<NullWritable, ArrayWritable> reader =
        format.getRecordReader(splits[0], job, Reporter.NULL);
    List<String> ids = new ArrayList<>();
    for (ArrayWritable row = reader.createValue(); reader.next(null, row); ) {
      ids.add(row.get()[0].toString());
    }
    assertThat(ids).containsExactlyInAnyOrder("1", "2");
  }

  @ParameterizedTest
  @CsvSource({
    "consume.mode,SNAPSHOT",
    "consume.mode,' '",
    "consume.commit,''",
    "consume.pending.commits,False",
    "consume.max.commits,x" // would be refused if the query were incremental
  })
  void readsTheLatestStateUnlessTheSessionRequestsAnother(String name, String value)
      throws Exception {
    table.insert("2025", 1);
    table.insert("2025", 2);
    job.set("hoodie.flights." + name, value);
    assertThat(names(job)).hasSize(2);
    assertThat(job.get("hoodie.flights." + name)).as("the session's own").isEqualTo(value);
  }

  @Test
  void countsAScanOnceWhereItsSplitsAreRead() throws Exception {
    table.insert("2025", 1);
    table.insert("2025", 2);
    job.set("hive.io.file.readcolumn.ids", "0");
    job.set("hive.io.file.readcolumn.names", "id");
    job.set("hive.execution.engine", "tez");
    CountingReporter reporter = new CountingReporter();
    long bytes = 0;
    for (InputSplit split : format.getSplits(job, 1)) {
      bytes += split.getLength();
      format.getRecordReader(WritableUtils.clone((SliceSplit) split, job), job, reporter).close();
    }
    assertThat(reporter.of("scan.files")).isEqualTo(2);
    assertThat(reporter.of("scan.kept")).isEqualTo(2);
    assertThat(reporter.of("scan.bytes")).isEqualTo(bytes);
    assertThat(reporter.of("scan.kept_bytes")).isEqualTo(bytes);
  }

  /** A reader is on another machine than the listing, and does not list the table. */
  @Test
  void handsReadersTheSliceOfEachSplit() throws Exception {
    String old = table.insert("2026/01", 1, 2);
    String latest = table.rewrite("2026/01", old, 1, 2, 4);
    InputSplit[] splits = format.getSplits(job, 1);
    assertThat(splits).hasSize(1);
    FileSlice slice = WritableUtils.clone((SliceSplit) splits[0], job).slice();
    assertThat(slice.getPartitionPath()).isEqualTo("2026/01");
    assertThat(slice.getFileId()).isEqualTo(FSUtils.getFileId(latest));
    assertThat(slice.getBaseInstantTime()).isEqualTo("20260101000000002");
    assertThat(slice.getBaseFile().get().getFileName()).isEqualTo(latest);
    assertThat(slice.getTotalFileSize()).isEqualTo(splits[0].getLength());
    assertThat(slice.hasLogFiles()).isFalse();
  }

  /** FetchOperator answers with no rows when the root cause is a missing file. */
  @Test
  void failsLoudlyWhenTheTableIsGone() {
    job = HiveJobs.fetch(directory.resolve("gone").toString(), null);
    assertThatThrownBy(() -> format.listStatus(job))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a Hudi table")
        .satisfies(
            e ->
                assertThat(ExceptionUtils.getThrowableList(e))
                    .as("causes that Hive takes for an empty table")
                    .noneMatch(cause -> cause instanceof FileNotFoundException));
  }

  /** Hive has one input format object for all queries of a JVM, configured for the first. */
  @Test
  void keepsNoStateBetweenQueriesAndThreads() throws Exception {
    HudiTestTable first = HudiTestTable.partitioned(directory.resolve("first"));
    HudiTestTable second = HudiTestTable.partitioned(directory.resolve("second"));
    String a = first.insert("2025", 1);
    String b = second.insert("2025", 2);
    format.setConf(HiveJobs.fetch(first.location(), null));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<String>>> listings = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        JobConf job = HiveJobs.fetch((i % 2 == 0 ? first : second).location(), null);
        listings.add(threads.submit(() -> names(job)));
      }
      for (int i = 0; i < listings.size(); i++) {
        assertThat(listings.get(i).get()).as("listing %d", i).containsExactly(i % 2 == 0 ? a : b);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void isAFormatThatHiveReadsVectorised() {
    assertThat(VectorizedInputFormatInterface.class).isAssignableFrom(format.getClass());
  }

  private List<String> names(JobConf job) throws IOException {
    return Stream.of(format.listStatus(job))
        .map(file -> file.getPath().getName())
        .collect(Collectors.toList());
  }
}
