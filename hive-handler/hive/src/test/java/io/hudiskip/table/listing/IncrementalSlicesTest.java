// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.table.commits.LastCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieDeltaWriteStat;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the slices of a range, for commits with any requested and completion times. */
class IncrementalSlicesTest {
  private static final String A = "aaaaaaaa-0";
  private static final String B = "bbbbbbbb-0";

  @TempDir Path root;

  @BeforeEach
  void create() throws IOException {
    create(8);
  }

  private void create(int version) throws IOException {
    HoodieTableMetaClient.newTableBuilder()
        .setTableVersion(version)
        .setTableType(HoodieTableType.MERGE_ON_READ)
        .setTableName("flights")
        .setPartitionFields("city")
        .initTable(HadoopFSUtils.getStorageConf(new Configuration(false)), root.toString());
  }

  @Test
  void aSliceHasItsBaseFileAndAllLogsUntilTheEnd() throws IOException {
    commit("commit", 1, 2, base(A, 1), base(B, 1));
    commit("deltacommit", 3, 4, log(A, 3, 1));
    commit("deltacommit", 5, 6, log(A, 5, 1));
    commit("deltacommit", 7, 8, log(A, 7, 1), log(B, 7, 1));
    assertThat(slices(5)).containsExactly("aaaaaaaa-0: 1 + 3 5");
    assertThat(slices(3, 5, 7)).containsExactly("aaaaaaaa-0: 1 + 3 5 7", "bbbbbbbb-0: 1 + 7");
    assertThat(slices(1)).containsExactly("aaaaaaaa-0: 1 +", "bbbbbbbb-0: 1 +");
  }

  @Test
  void aCommitCompletedAfterTheEndIsIgnored() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 9, log(A, 3, 1));
    commit("deltacommit", 4, 5, log(A, 4, 1));
    HoodieTableMetaClient table = open();
    SelectedCommits early = new SelectedCommits(commits(table, 4), commits(table, 3), instant(5));
    assertThat(slices(table, early)).containsExactly("aaaaaaaa-0: 1 + 4");
    SelectedCommits late =
        new SelectedCommits(commits(table, 3), Collections.emptyList(), instant(9));
    assertThat(slices(table, late)).containsExactly("aaaaaaaa-0: 1 + 3 4");
  }

  @Test
  void aLogCompletedAfterACompactionWasPlannedIsReadWithEarlierFiles() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 6, log(A, 3, 1));
    commit("commit", 4, 8, base(A, 4));
    assertThat(slices(3)).containsExactly("aaaaaaaa-0: 1 + 3");
    assertThat(slices(3, 4)).containsExactly("aaaaaaaa-0: 4 + 3");
  }

  @Test
  void rowsThatAClusteringMovedAreReadWhereTheyAre() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    // Its instant is chosen first, the files it rewrites afterwards.
    commit("deltacommit", 5, 6, log(A, 5, 1));
    cluster(4, 9, A, base(B, 4));
    assertThat(slices(5)).containsExactly("bbbbbbbb-0: 4 +");
  }

  @Test
  void aClusteringThatEndedBeforeTheRangeIsNotRead() throws IOException {
    commit("commit", 1, 2, base("cccccccc-0", 1), base(A, 1));
    cluster(3, 4, "cccccccc-0", base(B, 3));
    commit("deltacommit", 5, 6, log(A, 5, 1));
    assertThat(slices(5)).containsExactly("aaaaaaaa-0: 1 + 5");
  }

  @Test
  void aReplacedGroupIsNotRead() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 4, log(A, 3, 1));
    cluster(5, 6, A, base(B, 5));
    assertThat(slices(3, 5)).containsExactly("bbbbbbbb-0: 5 +");
    assertThat(slices(3)).containsExactly("aaaaaaaa-0: 1 + 3");
  }

  @Test
  void aSliceMayHaveNoBaseFile() throws IOException {
    commit("deltacommit", 1, 2, log(A, 1, 1));
    commit("deltacommit", 3, 4, log(A, 3, 1));
    assertThat(slices(3)).containsExactly("aaaaaaaa-0: none + 1 3");
  }

  @Test
  void beforeVersion8ALogMayBeOfACommitRequestedBeforeItsBaseFile() throws IOException {
    FileUtils.deleteDirectory(root.resolve(".hoodie").toFile());
    create(6);
    commit("commit", 1, 0, base(A, 1));
    commit("deltacommit", 3, 0, log(A, 4, 1));
    commit("commit", 4, 0, base(A, 4));
    assertThat(slices(3, 4)).containsExactly("aaaaaaaa-0: 4 + 4");
  }

  @Test
  void aCleanedFileIsReported() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 4, log(A, 3, 1));
    Files.delete(root.resolve("p").resolve(base(A, 1)));
    assertThatThrownBy(() -> slices(3)).hasMessageContaining(base(A, 1) + ", which an incremental");
  }

  /** The slices of commits, as of the last of them. */
  private List<String> slices(int... requested) throws IOException {
    HoodieTableMetaClient table = open();
    List<HoodieInstant> commits = commits(table, requested);
    String until = commits.get(commits.size() - 1).requestedTime();
    List<HoodieInstant> later =
        table
            .getCommitsTimeline()
            .filterCompletedInstants()
            .getInstantsAsStream()
            .filter(commit -> commit.requestedTime().compareTo(until) > 0)
            .collect(Collectors.toList());
    return slices(table, new SelectedCommits(commits, later, until));
  }

  private static List<String> slices(HoodieTableMetaClient table, SelectedCommits selection)
      throws IOException {
    return new IncrementalListing(table, new LastCommits(table), selection, ListedPartitions.ALL)
        .slices().stream().map(IncrementalSlicesTest::text).sorted().collect(Collectors.toList());
  }

  private static String text(FileSlice slice) {
    String logs =
        slice
            .getLogFiles()
            .sorted(HoodieLogFile.getLogFileComparator())
            .map(log -> " " + number(log.getDeltaCommitTime()))
            .collect(Collectors.joining());
    String base = slice.getBaseFile().map(file -> number(file.getCommitTime())).orElse("none");
    return slice.getFileId() + ": " + base + " +" + logs;
  }

  private HoodieTableMetaClient open() {
    return HoodieTableMetaClient.builder()
        .setConf(HadoopFSUtils.getStorageConf(new Configuration(false)))
        .setBasePath(root.toString())
        .build();
  }

  private static List<HoodieInstant> commits(HoodieTableMetaClient table, int... requested) {
    List<String> instants =
        Arrays.stream(requested)
            .mapToObj(IncrementalSlicesTest::instant)
            .collect(Collectors.toList());
    return table
        .getCommitsTimeline()
        .filterCompletedInstants()
        .getInstantsAsStream()
        .filter(commit -> instants.contains(commit.requestedTime()))
        .collect(Collectors.toList());
  }

  private void commit(String action, int requested, int completed, String... files)
      throws IOException {
    HoodieCommitMetadata metadata = new HoodieCommitMetadata();
    metadata.setOperationType(WriteOperationType.UPSERT);
    complete(action, requested, completed, withStats(metadata, files));
  }

  private void cluster(int requested, int completed, String replaced, String file)
      throws IOException {
    HoodieReplaceCommitMetadata metadata = new HoodieReplaceCommitMetadata();
    metadata.setOperationType(WriteOperationType.CLUSTER);
    metadata.setPartitionToReplaceFileIds(
        Collections.singletonMap("p", Collections.singletonList(replaced)));
    complete("replacecommit", requested, completed, withStats(metadata, file));
  }

  /** Completes a commit and renames its file on the timeline to the time of completion. */
  private void complete(String action, int requested, int completed, HoodieCommitMetadata metadata)
      throws IOException {
    HoodieTableMetaClient table = open();
    HoodieActiveTimeline actions = table.getActiveTimeline();
    HoodieInstant inflight =
        table.createNewInstant(HoodieInstant.State.INFLIGHT, action, instant(requested));
    HoodieInstant request =
        table.createNewInstant(HoodieInstant.State.REQUESTED, action, instant(requested));
    actions.createNewInstant(request);
    if (metadata instanceof HoodieReplaceCommitMetadata) {
      actions.transitionReplaceRequestedToInflight(request, Option.empty());
      actions.transitionReplaceInflightToComplete(
          true, inflight, (HoodieReplaceCommitMetadata) metadata);
    } else {
      actions.transitionRequestedToInflight(request, Option.empty());
      actions.saveAsComplete(inflight, Option.of(metadata));
    }
    Path timeline = root.resolve(".hoodie/timeline");
    if (!Files.exists(timeline)) {
      return; // before version 8 the time of completion is not recorded
    }
    try (Stream<Path> files = Files.list(timeline)) {
      Path done =
          files
              .filter(file -> file.getFileName().toString().startsWith(instant(requested) + "_"))
              .findFirst()
              .get();
      Files.move(
          done, timeline.resolve(instant(requested) + "_" + instant(completed) + "." + action));
    }
  }

  /** Writes files into the partition, and their statistics into the metadata of their commit. */
  private HoodieCommitMetadata withStats(HoodieCommitMetadata metadata, String... files)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve("p"));
    for (String file : files) {
      Files.write(folder.resolve(file), new byte[] {1});
      boolean isLog = file.startsWith(".");
      HoodieWriteStat stat = isLog ? new HoodieDeltaWriteStat() : new HoodieWriteStat();
      stat.setFileId(isLog ? file.substring(1, 11) : file.substring(0, 10));
      stat.setPartitionPath("p");
      stat.setPath("p/" + file);
      stat.setFileSizeInBytes(1);
      metadata.addWriteStat("p", stat);
    }
    return metadata;
  }

  private static String base(String group, int commit) {
    return group + "_0-0-0_" + instant(commit) + ".parquet";
  }

  private static String log(String group, int commit, int version) {
    return "." + group + "_" + instant(commit) + ".log." + version + "_0-0-0";
  }

  private static String instant(int number) {
    return String.format("20260101%09d", number);
  }

  private static String number(String instant) {
    return instant.substring(8).replaceFirst("^0+", "");
  }
}
