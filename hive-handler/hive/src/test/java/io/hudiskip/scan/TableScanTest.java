// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.scan.read.RowGroupFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableScanTest {
  @TempDir Path directory;

  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATableWithAnIndex() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    high = table.insert("2026", 10, 12, 19);
    index(100, 190).publish();
  }

  /** In shadow mode every file is opened, and each reader checks whether it would be skipped. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "shadow"})
  void aQueryReadsItsFilterAndOpensItsTableOnce(String mode) throws Exception {
    ExprNodeGenericFuncDesc filter = idEquals(12);
    filter.setGenericUDF(new CountedFunction());
    JobConf job = query("tez", filter);
    job.set("hudi.skipping.mode", mode);
    CountingFileSystem.install(job);
    int decodings = CountedFunction.made();
    HudiSkippingInputFormat format = new HudiSkippingInputFormat();
    InputSplit[] splits = format.getSplits(job, 1);
    assertThat(CountedFunction.made() - decodings).as("decodings by the listing").isOne();
    assertThat(listings(".hoodie/timeline")).as("by the listing").isOne();
    for (InputSplit split : splits) {
      JobConf own = new JobConf(job); // as Hive passes it to each reader
      RowGroupFilter.isSound(own, (FileSplit) split);
      RowGroupFilter.isSound(own, (FileSplit) split);
      FileSelector.select(
          TableScan.reading(own, (FileSplit) split),
          Collections.singletonList(((SliceSplit) split).slice()));
    }
    assertThat(CountedFunction.made() - decodings).as("decodings with the readers").isOne();
    assertThat(listings(".hoodie/timeline")).as("with the readers, which open no table").isOne();
  }

  @Test
  void theShadowCheckTakesTheScanOfTheListing() throws Exception {
    JobConf job = query("tez", idEquals(12));
    job.set("hudi.skipping.mode", "shadow");
    HudiSkippingInputFormat format = new HudiSkippingInputFormat();
    InputSplit[] splits = format.getSplits(job, 1);
    TableScan scan = TableScan.reading(job, file("2025", low));
    for (InputSplit split : splits) {
      format.getRecordReader(split, job, Reporter.NULL).close();
    }
    assertThat(TableScan.reading(job, file("2026", high))).isSameAs(scan);
    assertThat(scan.filter()).isSameAs(TableScan.reading(job, file("2026", high)).filter());
  }

  @Test
  void aListingSeesWhatWasCommittedSinceTheLastOne() throws Exception {
    JobConf job = query("fetch", null);
    assertThat(listed(job)).containsExactlyInAnyOrder(low, high);
    String added = table.insert("2026", 500);
    assertThat(listed(job)).containsExactlyInAnyOrder(low, high, added);
  }

  @Test
  void anotherQueryAnotherFilterAndAnotherModeAreAnotherScan() throws Exception {
    JobConf job = query("fetch", idEquals(3));
    TableScan scan = TableScan.reading(job, file("2025", low));
    assertThat(TableScan.reading(new JobConf(job), file("2026", high))).isSameAs(scan);
    for (String name :
        new String[] {
          "hive.query.id",
          "hive.io.filter.expr.serialized",
          "hive.io.filter.object",
          "hive.exec.plan",
          "hudi.skipping.mode"
        }) {
      JobConf other = new JobConf(job);
      other.set(name, "another");
      assertThat(TableScan.reading(other, file("2025", low))).as(name).isNotSameAs(scan);
    }
  }

  @Test
  void nothingIsCachedForAJobWithoutAQueryId() throws Exception {
    JobConf job = query("fetch", idEquals(3));
    job.unset("hive.query.id");
    assertThat(TableScan.reading(job, file("2025", low)))
        .isNotSameAs(TableScan.reading(job, file("2025", low)));
  }

  /** On MapReduce, Hive puts the filter of the next table into the same object. */
  @Test
  void ignoresLaterChangesOfTheConfiguration() throws Exception {
    JobConf job = query("fetch", idEquals(3));
    TableScan scan = TableScan.start(job, new org.apache.hadoop.fs.Path(table.location()));
    job.set("hive.io.filter.expr.serialized", "another");
    assertThat(scan.filter().expression().get().getExprString()).isEqualTo("(id = 3L)");
  }

  @Test
  void matchingBytesAreKnownBeforeTheTableIsListed() throws Exception {
    index(10, 19).publishAsOf(table.completed());
    JobConf job = query("fetch", idEquals(12));
    CountingFileSystem.install(job);
    int before = listings("2025") + listings("2026");
    assertThat(bytes(job, Long.MAX_VALUE)).hasValue(table.size("2026", high));
    assertThat(bytes(query("fetch", null), Long.MAX_VALUE))
        .as("without a filter")
        .hasValue(table.size("2025", low) + table.size("2026", high));
    assertThat(listings("2025") + listings("2026")).as("listings").isEqualTo(before);
  }

  @Test
  void partitionsWithNewCommitsCountWhole() throws Exception {
    index(10, 19).publishAsOf(table.completed());
    String added = table.insert("2025", 500);
    JobConf job = query("fetch", idEquals(12));
    assertThat(bytes(job, Long.MAX_VALUE))
        .hasValue(table.size("2026", high) + table.size("2025", low) + table.size("2025", added));
    assertThat(bytes(job, 1))
        .as("counting may stop above the limit")
        .hasValue(table.size("2026", high));
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mode, off",
    "hudi.skipping.mode, shadow",
    "hudi.skipping.listing, files",
    "hive.optimize.index.filter, false",
    "hoodie.flights.consume.commit, 20260101000000001"
  })
  void matchingBytesAreUnknownIfTheIndexCannotListTheTable(String setting, String value)
      throws Exception {
    index(10, 19).publishAsOf(table.completed());
    JobConf job = query("fetch", idEquals(12));
    job.set(setting, value);
    assertThat(bytes(job, Long.MAX_VALUE)).isEmpty();
  }

  private IdIndex index(long lower, long upper) throws Exception {
    return new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, lower, upper);
  }

  private OptionalLong bytes(JobConf job, long limit) {
    return new TableScan(job, new org.apache.hadoop.fs.Path(table.location())).indexedBytes(limit);
  }

  private int listings(String partition) {
    return CountingFileSystem.listings(new org.apache.hadoop.fs.Path(table.location(), partition));
  }

  private JobConf query(String engine, ExprNodeGenericFuncDesc filter) throws Exception {
    JobConf job =
        engine.equals("fetch")
            ? HiveJobs.fetch(table.location(), filter)
            : HiveJobs.engine(engine, table.location(), filter, filter);
    job.set("hive.query.id", UUID.randomUUID().toString());
    job.set("hudi.skipping.compiler.command", "no-such-command");
    return filter == null ? job : HiveJobs.pushing(filter, 12, job);
  }

  /** A split as an input format without file slices makes it. */
  private FileSplit file(String partition, String name) {
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(table.location() + "/" + partition + "/" + name);
    return new FileSplit(path, 0, 1, (String[]) null);
  }

  private static Stream<String> listed(JobConf job) throws IOException {
    return Stream.of(new HudiSkippingInputFormat().listStatus(job))
        .map(file -> file.getPath().getName());
  }
}
