// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.scan.CountingFileSystem;
import io.hudiskip.table.HudiTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.hadoop.HoodieCopyOnWriteTableInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotListingTest {
  @TempDir Path directory;

  @Test
  void listsOnlyTheChosenPartitions() throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory);
    table.insert("2025", 1);
    String chosen = table.insert("2026", 2);
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    HudiTable opened = open(table, job);
    int others = CountingFileSystem.listings(folder("2025"));
    int ours = CountingFileSystem.listings(folder("2026"));
    assertThat(names(opened.latestSlices(Collections.singletonList("2026"))))
        .containsExactly(chosen);
    assertThat(CountingFileSystem.listings(folder("2026")) - ours).isOne();
    assertThat(CountingFileSystem.listings(folder("2025")) - others)
        .as("listings of the partition that was not chosen")
        .isZero();
  }

  /** A query reads one state, whatever is committed while its files are listed. */
  @Test
  void seesTheTableAsItWasWhenItWasOpened() throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory);
    String first = table.insert("2025", 1);
    HudiTable opened = open(table, new JobConf(false));
    table.rewrite("2025", first, 1, 2);
    table.insert("2026", 3);
    assertThat(names(opened.latestSlices())).containsExactly(first);
  }

  @Test
  void listsATableWithoutPartitionsAndOneWithoutCommits() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    assertThat(open(table, new JobConf(false)).latestSlices()).isEmpty();
    String file = table.insert("", 1);
    List<FileSlice> slices = open(table, new JobConf(false)).latestSlices();
    assertThat(names(slices)).containsExactly(file);
    assertThat(slices.get(0).getPartitionPath()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"day=2026-01-01/hour=1", "a b", "100%25", "50%", "Zürich", "a#b", "a?b"})
  void listsAPartitionWithAnyNameOnce(String partition) throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory);
    String file = table.insert(partition, 1);
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    HudiTable opened = open(table, job);
    int before = CountingFileSystem.listings(folder(partition));
    List<FileSlice> slices = opened.latestSlices(Collections.singletonList(partition));
    assertThat(names(slices)).containsExactly(file);
    assertThat(slices.get(0).getPartitionPath()).isEqualTo(partition);
    assertThat(CountingFileSystem.listings(folder(partition)) - before).isOne();
  }

  /** Hudi's own input format is the reference: Hive reads Hudi tables through it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void agreesWithHudisOwnInputFormat(long seed) throws Exception {
    Random random = new Random(seed);
    HudiTestTable table = HudiTestTable.partitioned(directory);
    List<String[]> written = new ArrayList<>();
    for (int commit = 0; commit < 12; commit++) {
      String[] group =
          written.isEmpty() || random.nextInt(3) > 0
              ? null
              : written.get(random.nextInt(written.size()));
      String partition =
          group == null ? "p" + random.nextInt(3) + "/q" + random.nextInt(2) : group[0];
      String name =
          group == null
              ? table.insert(partition, commit)
              : table.rewrite(partition, group[1], commit, commit + 1);
      written.add(new String[] {partition, name});
    }
    assertThat(paths(open(table, new JobConf(false)).latestSlices()))
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(listedByHudi(table));
  }

  private static List<String> listedByHudi(HudiTestTable table) throws Exception {
    JobConf job = new JobConf(false);
    FileInputFormat.setInputPaths(job, table.location());
    HoodieCopyOnWriteTableInputFormat hudi = new HoodieCopyOnWriteTableInputFormat();
    hudi.setConf(job);
    return Stream.of(hudi.listStatus(job))
        .map(file -> file.getPath().toUri().getPath() + " " + file.getLen())
        .collect(Collectors.toList());
  }

  private static HudiTable open(HudiTestTable table, Configuration conf) throws Exception {
    return HudiTable.open(conf, table.location());
  }

  private org.apache.hadoop.fs.Path folder(String partition) {
    return new org.apache.hadoop.fs.Path(directory.toString(), partition);
  }

  private static List<String> names(List<FileSlice> slices) {
    return slices.stream()
        .map(slice -> slice.getBaseFile().get().getFileName())
        .collect(Collectors.toList());
  }

  private static List<String> paths(List<FileSlice> slices) {
    return slices.stream()
        .map(slice -> slice.getBaseFile().get())
        .map(file -> file.getStoragePath().toUri().getPath() + " " + file.getFileSize())
        .collect(Collectors.toList());
  }
}
