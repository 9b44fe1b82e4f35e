// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.table.HudiTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the walk to the partitions and slices that Hudi finds. */
class PartitionWalkTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void findsWhatHudiFindsInThePartitionsThatAreKept(long seed) throws Exception {
    Random random = new Random(seed);
    HudiTestTable table = HudiTestTable.partitioned(directory);
    List<String[]> written = new ArrayList<>();
    for (int commit = 0; commit < 12; commit++) {
      if (!written.isEmpty() && random.nextInt(3) == 0) {
        String[] group = written.get(random.nextInt(written.size()));
        table.rewrite(group[0], group[1], commit);
        continue;
      }
      String partition = "p" + random.nextInt(3) + (random.nextBoolean() ? "/q" : "") + "/r";
      written.add(new String[] {partition, table.insert(partition, commit)});
    }
    Files.createDirectories(directory.resolve("p0/no partition"));
    if (random.nextBoolean()) { // as a writer leaves it that once wrote without partition columns
      table.insert("", 99);
    }
    for (String[] group : written) { // left behind by copying
      Path partition = directory.resolve(group[0]);
      Files.write(partition.resolve("." + group[1] + "_0-1-0_1.parquet.crc2"), new byte[1]);
      Files.write(partition.resolve("part-0.parquet.bak"), new byte[1]);
    }
    HudiTable opened = HudiTable.open(new Configuration(false), table.location());
    ListedPartitions filter =
        (paths, arePartitions) ->
            paths.stream().filter(path -> !path.startsWith("p1")).collect(Collectors.toList());
    assertThat(texts(opened, filter))
        .as("seed %d", seed)
        .isEqualTo(
            texts(opened, ListedPartitions.ALL).stream()
                .filter(text -> !text.startsWith("p1"))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void aTableWithoutPartitionsIsListedWhole() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    table.insert("", 1);
    HudiTable opened = HudiTable.open(new Configuration(false), table.location());
    assertThat(texts(opened, (paths, arePartitions) -> new ArrayList<>())).hasSize(1);
  }

  private static Set<String> texts(HudiTable table, ListedPartitions filter) throws Exception {
    return table.slices(null, false, filter).stream()
        .map(slice -> slice.getPartitionPath() + ' ' + slice.getBaseFile().get().getFileName())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
