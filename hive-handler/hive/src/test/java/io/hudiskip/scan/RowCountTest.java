// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The index says that each file has ten rows, which is never true: so one sees what was asked. */
class RowCountTest {
  private static final int INDEXED = 10;

  @TempDir Path directory;

  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATable() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    high = table.insert("2026", 11, 12, 19);
  }

  @Test
  void theIndexKnowsTheRowsOfItsFiles() throws Exception {
    index().publishAsOf(table.completed());
    assertThat(count()).hasValue(2 * INDEXED);
  }

  @Test
  void aCommitIsCountedAtOnce() throws Exception {
    index().publishAsOf(table.completed());
    table.insert("2026", 20, 21, 22, 23);
    assertThat(count()).hasValue(2 * INDEXED + 4);
    table.rewrite("2025", low, 1);
    assertThat(count()).as("a file of the index is replaced").hasValue(1 + INDEXED + 4);
  }

  @Test
  void footersKnowTheRowsOfAFewFilesWithoutAnIndex() throws Exception {
    assertThat(count()).hasValue(5);
    for (int file = 0; file < 6; file++) {
      table.insert("2026", 100 + file);
    }
    assertThat(count()).hasValue(11);
    table.insert("2026", 200);
    assertThat(count()).as("reading nine footers takes longer").isEmpty();
  }

  @Test
  void aTableWithoutFilesHasNoRows() throws Exception {
    table = HudiTestTable.partitioned(Files.createDirectory(directory.resolve("empty")));
    table.commitMetadata("key", "value");
    assertThat(count()).hasValue(0);
  }

  @Test
  void aFileOfAnotherSizeIsNotTheOneInTheIndex() throws Exception {
    new IdIndex(directory)
        .file("2025", low, 1, 9)
        .file("2026", high, table.size("2026", high) + 1, 10, 19)
        .publishAsOf(table.completed());
    assertThat(count()).hasValue(INDEXED + 3);
  }

  @Test
  void aMissingFileIsNotCounted() throws Exception {
    index().publishAsOf(table.completed());
    Files.delete(directory.resolve("2025").resolve(low));
    assertThat(count()).as("Hudi's view does not have it").hasValue(INDEXED);
  }

  @Test
  void aDamagedIndexAnswersNothing() throws Exception {
    index().publishAsOf(table.completed());
    Path index = directory.resolve(".hoodie/.skipping_index");
    try (Stream<Path> files = Files.walk(index)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toArray(Path[]::new)) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        bytes[10] ^= 1;
        Files.write(file, bytes);
      }
    }
    assertThatThrownBy(this::count).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.counts, off",
    "hudi.skipping.mode, off",
    "hudi.skipping.mode, shadow",
    "hoodie.flights.consume.commit, 20260101000000001",
    "hoodie.query.as.ro.table, true"
  })
  void anotherStateAndCautionNeedAScan(String setting, String value) throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = job();
    job.set(setting, value);
    assertThat(count(job)).isEmpty();
  }

  @Test
  void aListingCanBeRequested() throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = job();
    job.set("hudi.skipping.listing", "files");
    assertThat(count(job)).hasValue(2 * INDEXED);
  }

  @Test
  void onlyACountOfTheCurrentStateByTheUserOfTheProcessIsAnswered() throws Exception {
    index().publishAsOf(table.completed());
    String count = "select count(*) from flights";
    Table current = new Table("lake", "flights");
    current.setDataLocation(new org.apache.hadoop.fs.Path(table.location()));
    assertThat(count(count, current)).hasValue(2 * INDEXED);
    assertThat(count(count + " where id = 1", current)).isEmpty();
    UserGroupInformation another = UserGroupInformation.createRemoteUser("another");
    PrivilegedExceptionAction<OptionalLong> asked = () -> count(count, current);
    assertThat(another.doAs(asked)).as("may not be allowed to read each file").isEmpty();
    Table past = current.makeCopy();
    past.setAsOfVersion("20260101000000001");
    assertThat(count(count, past)).isEmpty();
  }

  private OptionalLong count(String statement, Table asked) throws Exception {
    return RowCount.of(job(), statement, "lake", Collections.emptyMap(), asked);
  }

  private IdIndex index() throws Exception {
    return new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 10, 19);
  }

  private JobConf job() throws Exception {
    JobConf job = HiveJobs.fetch(table.location(), null);
    job.set("hudi.skipping.counts", "on");
    return job;
  }

  private OptionalLong count() throws Exception {
    return count(job());
  }

  private OptionalLong count(JobConf job) throws IOException {
    return RowCount.of(new TableScan(job, new org.apache.hadoop.fs.Path(table.location())));
  }
}
