/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
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
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files the slices of a range have, by commits of any requested and completion times. */
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
  void aCommitThatCompletedAfterTheEndDoesNotCount() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 9, log(A, 3, 1));
    commit("deltacommit", 4, 5, log(A, 4, 1));
    HoodieTableMetaClient table = open();
    CommitsOfRange early = new CommitsOfRange(commits(table, 4), commits(table, 3), instant(5));
    assertThat(slices(table, early)).containsExactly("aaaaaaaa-0: 1 + 4");
    CommitsOfRange late =
        new CommitsOfRange(commits(table, 3), Collections.emptyList(), instant(9));
    assertThat(slices(table, late)).containsExactly("aaaaaaaa-0: 1 + 3 4");
  }

  @Test
  void aLogThatCompletedAfterACompactionWasPlannedIsReadWithWhatCameBefore() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    commit("deltacommit", 3, 6, log(A, 3, 1));
    commit("commit", 4, 8, base(A, 4));
    assertThat(slices(3)).containsExactly("aaaaaaaa-0: 1 + 3");
    assertThat(slices(3, 4)).containsExactly("aaaaaaaa-0: 4 + 3");
  }

  @Test
  void rowsThatAClusteringMovedAreReadWhereTheyAre() throws IOException {
    commit("commit", 1, 2, base(A, 1));
    // Its instant is chosen first, and what it rewrites afterwards.
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
  void aCleanedFileIsMissed() throws IOException {
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
    return slices(table, new CommitsOfRange(commits, later, until));
  }

  private static List<String> slices(HoodieTableMetaClient table, CommitsOfRange range)
      throws IOException {
    try (SliceListing listing = new IncrementalListing(table, range)) {
      return listing.slices(listing.partitions()).stream()
          .map(IncrementalSlicesTest::text)
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private static String text(FileSlice slice) {
    String logs =
        slice
            .getLogFiles()
            .sorted(HoodieLogFile.getLogFileComparator())
            .map(log -> " " + number(log.getDeltaCommitTime()))
            .collect(Collectors.joining());
    return slice.getFileId()
        + ": "
        + (slice.getBaseFile().isPresent()
            ? number(slice.getBaseFile().get().getCommitTime())
            : "none")
        + " +"
        + logs;
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
    List<HoodieWriteStat> stats = new ArrayList<>();
    for (String file : files) {
      stats.add(
          stat(file.startsWith(".") ? new HoodieDeltaWriteStat() : new HoodieWriteStat(), file));
    }
    commit(action, requested, completed, stats, "");
  }

  private void cluster(int requested, int completed, String replaced, String file)
      throws IOException {
    commit(
        "replacecommit",
        requested,
        completed,
        Collections.singletonList(stat(new HoodieWriteStat(), file)),
        replaced);
  }

  /** Completes a commit, and gives it the time of its completion. */
  private void commit(
      String action,
      int requested,
      int completed,
      Collection<HoodieWriteStat> stats,
      String replaced)
      throws IOException {
    HoodieTableMetaClient table = open();
    HoodieCommitMetadata metadata =
        replaced.isEmpty() ? new HoodieCommitMetadata() : new HoodieReplaceCommitMetadata();
    metadata.setOperationType(
        replaced.isEmpty() ? WriteOperationType.UPSERT : WriteOperationType.CLUSTER);
    if (!replaced.isEmpty()) {
      ((HoodieReplaceCommitMetadata) metadata)
          .setPartitionToReplaceFileIds(
              Collections.singletonMap("p", Collections.singletonList(replaced)));
    }
    stats.forEach(stat -> metadata.addWriteStat("p", stat));
    HoodieInstant inflight =
        table.createNewInstant(HoodieInstant.State.INFLIGHT, action, instant(requested));
    HoodieInstant asked =
        table.createNewInstant(HoodieInstant.State.REQUESTED, action, instant(requested));
    table.getActiveTimeline().createNewInstant(asked);
    if (replaced.isEmpty()) {
      table.getActiveTimeline().transitionRequestedToInflight(asked, Option.empty());
      table.getActiveTimeline().saveAsComplete(inflight, Option.of(metadata));
    } else {
      table.getActiveTimeline().transitionReplaceRequestedToInflight(asked, Option.empty());
      table
          .getActiveTimeline()
          .transitionReplaceInflightToComplete(
              true, inflight, (HoodieReplaceCommitMetadata) metadata);
    }
    Path timeline = root.resolve(".hoodie/timeline");
    if (!Files.exists(timeline)) {
      return; // before version 8 it is not recorded
    }
    try (java.util.stream.Stream<Path> files = Files.list(timeline)) {
      Path done =
          files
              .filter(file -> file.getFileName().toString().startsWith(instant(requested) + "_"))
              .findFirst()
              .get();
      Files.move(
          done, timeline.resolve(instant(requested) + "_" + instant(completed) + "." + action));
    }
  }

  private HoodieWriteStat stat(HoodieWriteStat stat, String file) throws IOException {
    Path folder = Files.createDirectories(root.resolve("p"));
    Files.write(folder.resolve(file), new byte[] {1});
    stat.setFileId(file.startsWith(".") ? file.substring(1, 11) : file.substring(0, 10));
    stat.setPartitionPath("p");
    stat.setPath("p/" + file);
    stat.setFileSizeInBytes(1);
    return stat;
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

  private static int number(String instant) {
    return Integer.parseInt(instant.substring(8));
  }
}
