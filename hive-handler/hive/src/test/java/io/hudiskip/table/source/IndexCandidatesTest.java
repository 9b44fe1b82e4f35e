// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.IndexFactory;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.scan.CountingFileSystem;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.listing.ListedPartitions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexCandidatesTest {
  @TempDir Path directory;
  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATable() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    high = table.insert("2026", 10, 19);
  }

  @Test
  void aTableWithoutNewCommitsIsNotListed() throws Exception {
    index().publishAsOf(table.completed());
    int before = listings("2025") + listings("2026");
    Candidates found = candidates(FileVerdicts.ALL);
    assertThat(listings("2025") + listings("2026")).as("listings").isEqualTo(before);
    assertThat(names(found)).containsExactlyInAnyOrder(low, high);
    assertThat(found.source()).isEqualTo("index");
    assertThat(found.totals().files()).isEqualTo(2);
    assertThat(found.totals().bytes())
        .isEqualTo(table.size("2025", low) + table.size("2026", high));
  }

  @Test
  void onlyKeptFilesAreAccessed() throws Exception {
    index().publishAsOf(table.completed());
    Files.delete(directory.resolve("2025").resolve(low));
    Candidates found = candidates(listing -> only(listing, high));
    assertThat(names(found)).containsExactly(high);
    assertThat(found.totals().files()).as("files of the table").isEqualTo(2);
  }

  @Test
  void onlyPartitionsOfNewCommitsAreListed() throws Exception {
    index().publishAsOf(table.completed());
    String rewritten = table.rewrite("2026", high, 10, 20);
    String added = table.insert("2027", 30);
    int others = listings("2025");
    int changed = listings("2026");
    Candidates found = candidates(FileVerdicts.ALL);
    assertThat(names(found)).containsExactlyInAnyOrder(low, rewritten, added);
    assertThat(listings("2025")).as("listings of 2025").isEqualTo(others);
    assertThat(listings("2026") - changed).as("listings of 2026").isOne();
    assertThat(found.totals().files()).isEqualTo(3);
  }

  @Test
  void partitionsWithManyKeptFilesAreListedByHudi() throws Exception {
    IdIndex index = index();
    for (int day = 0; day < 33; day++) {
      index.file("day" + day, table.insert("day" + day, day), day, day);
    }
    index.publishAsOf(table.completed());
    int before = listings("day7");
    Candidates found = candidates(FileVerdicts.ALL);
    assertThat(found.slices()).hasSize(35);
    assertThat(found.totals().files()).isEqualTo(35);
    assertThat(listings("day7") - before).as("listings of a partition").isOne();
    assertThat(names(candidates(listing -> only(listing, high)))).containsExactly(high);
    assertThat(listings("day7") - before).as("listings, where little is kept").isOne();
  }

  @Test
  void aRemovedFileIsNotListed() throws Exception {
    String rewritten = table.rewrite("2026", high, 10, 20);
    new IdIndex(directory)
        .file("2025", low, 1, 9)
        .without("2026", high)
        .file("2026", rewritten, 10, 20)
        .publishAsOf(table.completed());
    assertThat(names(candidates(FileVerdicts.ALL))).containsExactlyInAnyOrder(low, rewritten);
  }

  @Test
  void aMissingOrResizedKeptFileCausesAListing() throws Exception {
    index().publishAsOf(table.completed());
    Files.write(directory.resolve("2025").resolve(low), new byte[3]);
    requireListing("has 3 bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "20260101999999999_20260101999999999.commit, is not on the timeline",
    "202601010000000015_20260101000000016.commit, was undone" // between the two
  })
  void aTableIsListedWhenASeenCommitIsGone(String commit, String reason) throws Exception {
    List<String> completed = table.completed();
    completed.add(commit);
    index().publishAsOf(completed);
    requireListing(reason);
  }

  @Test
  void aTableIsListedWhileACommitIsBeingUndone() throws Exception {
    index().publishAsOf(table.completed());
    table.begin(HoodieTimeline.ROLLBACK_ACTION);
    requireListing("is in progress");
  }

  @Test
  void aTableIsListedWhenAPendingInstantIsGone() throws Exception {
    index().publishAsOf(table.completed(), "20260101000000099");
    requireListing("was archived or undone");
  }

  @Test
  void anIndexThatHasSeenNoCommitIsNotUsed() throws Exception {
    index().publishAsOf(Collections.emptyList());
    requireListing("covers no commit");
  }

  @Test
  void anIndexWithoutATimelineOrWithOtherTotalsHasNoLiveFiles() throws Exception {
    index().publish();
    assertThat(open(job()).liveFiles()).isEmpty();
  }

  private void requireListing(String reason) {
    assertThatThrownBy(() -> candidates(FileVerdicts.ALL))
        .isInstanceOf(SourceUnavailableException.class)
        .hasMessageContaining(reason);
  }

  private IdIndex index() throws Exception {
    return new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 10, 19);
  }

  private Candidates candidates(FileVerdicts verdicts) throws Exception {
    JobConf job = job();
    LiveFiles live = open(job).liveFiles().get();
    return IndexCandidates.of(HudiTable.open(job, table.location()), live, ListedPartitions.ALL)
        .candidates(verdicts);
  }

  private StatisticsIndex open(JobConf job) throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(table.location());
    return IndexFactory.open(root.getFileSystem(job), root);
  }

  private static JobConf job() {
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    return job;
  }

  private static BitSet only(List<io.hudiskip.index.BaseFile> listing, String name) {
    BitSet kept = new BitSet();
    for (int i = 0; i < listing.size(); i++) {
      kept.set(i, listing.get(i).relativePath().endsWith(name));
    }
    return kept;
  }

  private int listings(String partition) {
    return CountingFileSystem.listings(
        new org.apache.hadoop.fs.Path(directory.toString(), partition));
  }

  private static List<String> names(Candidates found) {
    return found.slices().stream()
        .map(slice -> slice.getBaseFile().get().getFileName())
        .collect(Collectors.toList());
  }
}
