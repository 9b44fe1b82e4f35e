// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A selective query costs as many storage calls for a large table as for a small one. */
class FileSystemCallsTest {
  private static final int SMALL = 10;

  @TempDir Path directory;

  @Test
  void callsDoNotGrowWithTheNumberOfPartitions() throws Exception {
    Map<CountingFileSystem.Call, Integer> calls = callsOfAQuery(SMALL);
    assertThat(calls.values()).as("%s", calls).allMatch(count -> count > 0);
    for (int partitions : new int[] {300, 3_000}) {
      assertThat(callsOfAQuery(partitions)).as("of %d partitions", partitions).isEqualTo(calls);
    }
  }

  @Test
  void callsOfASecondQueryDoNotReadTheIndexAgain() throws Exception {
    HudiTestTable table = table(SMALL);
    Map<CountingFileSystem.Call, Integer> first = callsOfAQuery(table);
    Map<CountingFileSystem.Call, Integer> second = callsOfAQuery(table);
    assertThat(second.get(CountingFileSystem.Call.OPEN))
        .isLessThan(first.get(CountingFileSystem.Call.OPEN));
    assertThat(callsOfAQuery(table)).isEqualTo(second);
  }

  /** The root, where the partitions are found, and the one whose path has the wanted value. */
  @Test
  void withoutAnIndexOnlyMatchingPartitionsAreListed() throws Exception {
    int timeline = -1;
    for (int partitions : new int[] {SMALL, 1_000}) {
      HudiTestTable table = HudiTestTable.partitionedById(directory.resolve("by-id-" + partitions));
      table.insertEach(
          IntStream.range(7, 7 + partitions)
              .mapToObj(Integer::toString)
              .collect(Collectors.toList()),
          1);
      Map<CountingFileSystem.Call, Integer> calls = callsOfAQuery(table);
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(table.location());
      assertThat(CountingFileSystem.listings(root)).isOne();
      assertThat(
              CountingFileSystem.listings(
                  new org.apache.hadoop.fs.Path(root, ".hoodie/.skipping_index")))
          .as("looks for an index")
          .isOne();
      assertThat(CountingFileSystem.listings(new org.apache.hadoop.fs.Path(root, "12"))).isOne();
      int others = calls.get(CountingFileSystem.Call.LIST) - 2;
      assertThat(others).isEqualTo(timeline < 0 ? others : timeline);
      timeline = others;
    }
  }

  private Map<CountingFileSystem.Call, Integer> callsOfAQuery(int partitions) throws Exception {
    return callsOfAQuery(table(partitions));
  }

  /** A file of ids 0 to 9 in the first partition, of 10 to 19 in the second, and so on. */
  private HudiTestTable table(int partitions) throws Exception {
    Path root = directory.resolve("of-" + partitions);
    HudiTestTable table = HudiTestTable.partitioned(root);
    List<String> names =
        IntStream.range(0, partitions)
            .mapToObj(number -> String.format("city-%05d", number))
            .collect(Collectors.toList());
    List<String> files = table.insertEach(names, 1);
    IdIndex index = new IdIndex(root);
    for (int i = 0; i < partitions; i++) {
      index.file(names.get(i), files.get(i), 10L * i, 10L * i + 9);
    }
    index.publishAsOf(table.completed());
    return table;
  }

  private static Map<CountingFileSystem.Call, Integer> callsOfAQuery(HudiTestTable table)
      throws Exception {
    JobConf job =
        HiveJobs.pushing(
            HiveJobs.idEquals(12), HiveJobs.fetch(table.location(), HiveJobs.idEquals(12)));
    job.set("hive.query.id", UUID.randomUUID().toString());
    CountingFileSystem.install(job);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(table.location() + "/");
    Map<CountingFileSystem.Call, Integer> before = CountingFileSystem.calls(root);
    assertThat(new HudiSkippingInputFormat().getSplits(job, 1)).hasSize(1);
    Map<CountingFileSystem.Call, Integer> calls = new EnumMap<>(CountingFileSystem.Call.class);
    CountingFileSystem.calls(root)
        .forEach((call, count) -> calls.put(call, count - before.get(call)));
    return calls;
  }
}
