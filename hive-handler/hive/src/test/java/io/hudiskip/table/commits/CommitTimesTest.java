// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.hive.HudiTestTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitTimesTest {
  private static final String FIRST = "20260101000000000";
  private static final String SECOND = "20260101000100000";
  private static final String THIRD = "20260101000200000";
  private static final String FOURTH = "20260101000300000";
  private static final Optional<Set<String>> ALL = Optional.empty();

  @TempDir Path directory;

  @Test
  void endWithTheCommitThatHasWrittenTheFile() throws Exception {
    Table table = new Table(8, true).commit(FIRST, "20260101000059999").commit(SECOND, THIRD);
    assertThat(table.upper(base(FIRST))).isEqualTo(FIRST);
    assertThat(table.upper(base(SECOND))).isEqualTo(SECOND);
    assertThat(table.statistics(base(FIRST)).lower()).as("rows can be copies").isNull();
    assertThat(table.statistics(base(FIRST)).nullCount()).isEqualTo(-1);
  }

  /** Clustering chooses its instant, and reads what was completed when it makes its plan. */
  @Test
  void endWithACommitThatWasRequestedLaterAndCompletedBefore() throws Exception {
    Table table =
        new Table(8, true)
            .action("replacecommit", FIRST, "20260101000250000")
            .commit(SECOND, "20260101000150000")
            .commit(THIRD, "20260101000251000");
    assertThat(table.upper(base(FIRST))).isEqualTo(SECOND);
  }

  @Test
  void areUnknownForAnIncompleteCommit() throws Exception {
    Table table = new Table(8, true).commit(FIRST, SECOND).pending(THIRD);
    assertThat(table.statistics(base(THIRD))).isNull();
    assertThat(table.statistics(slice(FIRST, THIRD))).isNull();
    assertThat(table.statistics(base("20260101000130000"))).as("of no known commit").isNull();
  }

  @Test
  void endWithTheCompletionTimeIfACommitWasUndone() throws Exception {
    String completion = "20260101000250000";
    Table table = new Table(8, true).commit(FIRST, completion).action("rollback", FOURTH, FOURTH);
    assertThat(table.upper(base(FIRST))).as("what was copied may be gone").isEqualTo(completion);
    table.commit("20260101000400000", "20260101000500000");
    assertThat(table.upper(base("20260101000400000"))).isEqualTo("20260101000400000");
  }

  @Test
  void ofASliceCoverAllItsFiles() throws Exception {
    Table table =
        new Table(8, true)
            .commit(FIRST, "20260101000001000")
            .commit(SECOND, "20260101000101000")
            .commit(THIRD, "20260101000201000");
    assertThat(table.upper(slice(FIRST, SECOND))).isEqualTo(SECOND);
    assertThat(table.upper(slice(FIRST, THIRD, SECOND))).isEqualTo(THIRD);
    assertThat(table.upper(slice(THIRD, SECOND))).as("a compaction in between").isEqualTo(THIRD);
  }

  @Test
  void inVersion6EndADayLaterAndAreUnknownForLogs() throws Exception {
    String nextDay = "20260102000000000";
    String later = "20260102000000001";
    Table table = new Table(6, true).commit(FIRST, "").commit(nextDay, "").commit(later, "");
    assertThat(table.upper(base(FIRST))).as("the last within a day").isEqualTo(nextDay);
    assertThat(table.upper(base(later))).isEqualTo(later);
    assertThat(table.upper(base("20251231000000000")))
        .as("archived: other commits are unknown")
        .isEqualTo("20260101000000000");
    assertThat(table.upper(base("20251231000000"))).isEqualTo("20260101000000999");
    assertThat(table.statistics(slice(FIRST, FIRST))).isNull();
    assertThat(table.statistics(base("00000000000001"))).as("an instant that is no time").isNull();
  }

  @Test
  void ofAnUpgradedTableAreThoseOfVersion6() throws Exception {
    Table table = new Table(8, true).commit(FIRST, "20260101000001000").commit(SECOND, THIRD);
    assertThat(table.upper(base(FIRST))).isEqualTo(FIRST);
    table.initialVersion = "6";
    assertThat(table.upper(base(FIRST))).as("completion times were made up").isEqualTo(SECOND);
    assertThat(table.statistics(slice(FIRST, SECOND))).isNull();
  }

  @Test
  void areUnknownWithoutHudisColumnsOrWithFutureInstants() throws Exception {
    assertThat(new Table(8, false).commit(FIRST, FIRST).statistics(base(FIRST))).isNull();
    assertThat(new Table(8, true).commit(SECOND, FIRST).statistics(base(SECOND))).isNull();
    Table table = new Table(8, true).commit("abc", "abd");
    assertThat(table.statistics(base("abc"))).isNull();
  }

  @Test
  void inAnIncrementalQueryAreThoseOfTheCommitsRead() throws Exception {
    Table table =
        new Table(8, true)
            .commit(FIRST, "20260101000001000")
            .commit(SECOND, "20260101000101000")
            .commit(THIRD, "20260101000201000");
    table.commits = Optional.of(new HashSet<>(Arrays.asList(THIRD, SECOND)));
    assertThat(text(table.statistics(base(THIRD)).lower())).isEqualTo(SECOND);
    assertThat(table.upper(base(THIRD))).isEqualTo(THIRD);
    assertThat(table.upper(base(SECOND))).isEqualTo(SECOND);
    assertThat(table.upper(slice(SECOND, "20260101000230000"))).isEqualTo(THIRD);
    table.commits = Optional.of(Collections.emptySet());
    assertThat(table.statistics(base(THIRD))).isNull();
  }

  @Test
  void coverOneColumn() throws Exception {
    Table table = new Table(8, true).commit(FIRST, FIRST);
    List<FileSlice> slices = Collections.singletonList(base(FIRST));
    assertThat(new CommitTimes(new LastCommits(table.open()), ALL).of(slices).column("id"))
        .isEmpty();
  }

  private static FileSlice base(String instant) {
    return slice(instant);
  }

  private static FileSlice slice(String instant, String... deltaCommits) {
    FileSlice slice = new FileSlice(new HoodieFileGroupId("p", "a"), instant);
    slice.setBaseFile(new HoodieBaseFile(info("a_0-1-1_" + instant + ".parquet")));
    for (String commit : deltaCommits) {
      slice.addLogFile(new HoodieLogFile(info(".a_" + commit + ".log.1_0-1-1")));
    }
    return slice;
  }

  private static StoragePathInfo info(String name) {
    return new StoragePathInfo(new StoragePath("/t/p/" + name), 1, false, (short) 0, 0, 0);
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  /** A table with a timeline of names alone. */
  private final class Table {
    final Path root;
    final Path timeline;
    Optional<Set<String>> commits = ALL;
    String initialVersion = "";

    Table(int version, boolean hasMetaFields) throws IOException {
      root = Files.createTempDirectory(directory, "table");
      HudiTestTable.create(
          root,
          HudiTestTable.SCHEMA,
          builder ->
              builder
                  .setTableType(HoodieTableType.MERGE_ON_READ)
                  .setTableVersion(version)
                  .setPopulateMetaFields(hasMetaFields));
      timeline = root.resolve(version == 6 ? ".hoodie" : ".hoodie/timeline");
    }

    Table commit(String requested, String completed) throws IOException {
      return action("deltacommit", requested, completed);
    }

    Table action(String action, String requested, String completed) throws IOException {
      Files.createFile(
          timeline.resolve(
              requested + (completed.isEmpty() ? "" : "_" + completed) + "." + action));
      return this;
    }

    Table pending(String requested) throws IOException {
      Files.createFile(timeline.resolve(requested + ".deltacommit.requested"));
      Files.createFile(timeline.resolve(requested + ".deltacommit.inflight"));
      return this;
    }

    HoodieTableMetaClient open() {
      HoodieTableMetaClient table =
          HoodieTableMetaClient.builder()
              .setConf(HadoopFSUtils.getStorageConf(new Configuration(false)))
              .setBasePath(root.toString())
              .build();
      if (!initialVersion.isEmpty()) {
        table.getTableConfig().setValue(HoodieTableConfig.INITIAL_VERSION, initialVersion);
      }
      return table;
    }

    ColumnStatistics statistics(FileSlice slice) {
      return new CommitTimes(new LastCommits(open()), commits)
          .of(Collections.singletonList(slice))
          .column(CommitTimes.COLUMN)
          .get()
          .range(0);
    }

    String upper(FileSlice slice) {
      return text(statistics(slice).upper());
    }
  }
}
