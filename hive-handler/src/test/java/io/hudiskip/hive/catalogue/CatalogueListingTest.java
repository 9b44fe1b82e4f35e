/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.hive.scan.CountingFileSystem;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.factory.IndexFactory;
import io.hudiskip.index.storage.IdIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueListingTest {
  @TempDir Path directory;
  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATable() throws Exception {
    table =
        HudiTestTable.create(
            directory, HudiTestTable.SCHEMA, builder -> builder.setPartitionFields("city"));
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
    assertThat(found.totals().bytes()).isEqualTo(size("2025", low) + size("2026", high));
  }

  @Test
  void onlyWhatIsKeptIsLookedAt() throws Exception {
    index().publishAsOf(table.completed());
    Files.delete(directory.resolve("2025").resolve(low));
    Candidates found = candidates(listing -> only(listing, high));
    assertThat(names(found)).containsExactly(high);
    assertThat(found.totals().files()).as("files of the table").isEqualTo(2);
  }

  @Test
  void partitionsOfNewCommitsAreListedAndNoOther() throws Exception {
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
  void partitionsOfWhichMuchIsKeptAreListedByHudi() throws Exception {
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
  void aFileThatHasLeftIsNotTheTables() throws Exception {
    String rewritten = table.rewrite("2026", high, 10, 20);
    new IdIndex(directory)
        .file("2025", low, 1, 9)
        .without("2026", high)
        .file("2026", rewritten, 10, 20)
        .publishAsOf(table.completed());
    assertThat(names(candidates(FileVerdicts.ALL))).containsExactlyInAnyOrder(low, rewritten);
  }

  @Test
  void aKeptFileThatIsMissingOrOfAnotherSizeIsListedFor() throws Exception {
    index().publishAsOf(table.completed());
    Files.write(directory.resolve("2025").resolve(low), new byte[3]);
    requireListing("has 3 bytes");
  }

  @Test
  void aTableIsListedWhenTheLastCommitThatWasSeenIsGone() throws Exception {
    List<String> completed = new ArrayList<>(table.completed());
    completed.add("20260101999999999_20260101999999999.commit");
    index().publishAsOf(completed);
    requireListing("is not on the timeline");
  }

  @Test
  void aTableIsListedWhenACommitOfThoseThatWereSeenWasTakenBack() throws Exception {
    List<String> completed = new ArrayList<>(table.completed());
    completed.add("202601010000000015_20260101000000016.commit"); // between the two
    index().publishAsOf(completed);
    requireListing("was taken back");
  }

  @Test
  void aTableIsListedWhileSomethingIsTakenBack() throws Exception {
    index().publishAsOf(table.completed());
    table.begin(HoodieTimeline.ROLLBACK_ACTION);
    requireListing("is under way");
  }

  @Test
  void aTableIsListedWhenAPendingInstantIsGone() throws Exception {
    index().publishAsOf(table.completed(), "20260101000000099");
    requireListing("was archived or taken back");
  }

  @Test
  void anIndexThatHasSeenNoCommitDoesNotServe() throws Exception {
    index().publishAsOf(Collections.emptyList());
    requireListing("has seen no commit");
  }

  @Test
  void anIndexWithoutATimelineOrWithOtherTotalsHasNoLiveFiles() throws Exception {
    index().publish();
    assertThat(open(job()).liveFiles()).isEmpty();
  }

  private void requireListing(String reason) {
    assertThatThrownBy(() -> candidates(FileVerdicts.ALL))
        .isInstanceOf(UnknownChangesException.class)
        .hasMessageContaining(reason);
  }

  private IdIndex index() throws Exception {
    return new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 10, 19);
  }

  private Candidates candidates(FileVerdicts verdicts) throws Exception {
    JobConf job = job();
    return CatalogueListing.of(
        HudiTable.open(job, table.location()), open(job).liveFiles().get(), verdicts);
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

  private long size(String partition, String name) throws Exception {
    return Files.size(directory.resolve(partition).resolve(name));
  }

  private static List<String> names(Candidates found) {
    return found.slices().stream()
        .map(slice -> slice.getBaseFile().get().getFileName())
        .collect(Collectors.toList());
  }
}
