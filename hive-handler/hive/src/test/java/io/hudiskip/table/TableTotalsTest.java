// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.scan.CountingFileSystem;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTotalsTest {
  private static final int PARTITIONS = 200;
  private static final long LARGE = 16L << 20;

  @Test
  void theTotalsThatOneUserHasReadAreNotGivenToAnother(@TempDir File directory) throws Exception {
    HudiTestTable table = HudiTestTable.create(directory.toPath());
    table.insert("", 1, 2);
    assertThat(files("alice", table.location())).isEqualTo(1);

    // Unlike permissions, this also stops root.
    FileUtils.deleteDirectory(new File(table.location()));
    assertThat(files("alice", table.location())).as("cached").isEqualTo(1);
    assertThatThrownBy(() -> files("bob", table.location())).isInstanceOf(IOException.class);
  }

  @Test
  void ofALargeTableSomePartitionsAreListed(@TempDir File directory) throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory.toPath());
    String first = table.insertEach(partitions(), 1).get(0);
    extend(table, "city-000", first, LARGE); // and all others, which are links to it
    TableTotals totals = totals(table);
    assertThat(totals.files()).isEqualTo(PARTITIONS);
    assertThat(totals.bytes()).isEqualTo(PARTITIONS * LARGE);
    long listed =
        partitions().stream()
            .filter(name -> CountingFileSystem.listings(new Path(table.location(), name)) > 0)
            .count();
    assertThat(listed).isEqualTo(64);
  }

  @Test
  void aTableOfOneLargePartitionAmongSmallOnesIsListedWhole(@TempDir File directory)
      throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory.toPath());
    String first = table.insertEach(partitions(), 1).get(0);
    extend(table, "city-001", table.insert("city-001", 2), LARGE); // a sample has not this one
    TableTotals totals = totals(table);
    assertThat(totals.files()).isEqualTo(PARTITIONS + 1);
    assertThat(totals.bytes()).isEqualTo(PARTITIONS * table.size("city-000", first) + LARGE);
  }

  private static List<String> partitions() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(number -> String.format("city-%03d", number))
        .collect(Collectors.toList());
  }

  private static TableTotals totals(HudiTestTable table) throws IOException {
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    return TableTotals.of(job, new Path(table.location()));
  }

  /** Makes a file larger without writing to it. */
  private static void extend(HudiTestTable table, String partition, String name, long size)
      throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(Paths.get(table.location(), partition, name).toFile(), "rw")) {
      file.setLength(size);
    }
  }

  private static long files(String user, String root) throws Exception {
    PrivilegedExceptionAction<Long> ask =
        () -> TableTotals.of(new Configuration(), new Path(root)).files();
    return UserGroupInformation.createRemoteUser(user).doAs(ask);
  }
}
