// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.scan.CountingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSizeTest {
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path directory;

  @Test
  void aTableWithoutAFileIsOfUnknownSize() {
    assertThat(isSmall()).isFalse();
    assertThat(TableSize.of(new Table("default", "t")).isOfFewSmallFiles(new Configuration()))
        .as("without a location")
        .isFalse();
  }

  @Test
  void addsUpTheBytesOfAllDirectories() throws IOException {
    write("day=1/a", MEGABYTE - 1);
    assertThat(isSmall()).isTrue();
    write("day=2/a", 1);
    assertThat(isSmall()).isTrue();
    write("day=2/b", 1);
    assertThat(isSmall()).isFalse();
  }

  @Test
  void manyFilesAreNotSmall() throws IOException {
    for (int file = 0; file < 100; file++) {
      write("f" + file, 1);
    }
    assertThat(isSmall()).isTrue();
    write("another", 1);
    assertThat(isSmall()).isFalse();
  }

  @Test
  void listsFewDirectories() throws IOException {
    for (int day = 0; day < 15; day++) {
      write("day=" + day + "/a", 1);
    }
    assertThat(isSmall()).isTrue();
    for (int day = 15; day < 40; day++) {
      write("day=" + day + "/a", 1);
    }
    JobConf session = new JobConf();
    CountingFileSystem.install(session);
    assertThat(TableSize.of(table()).isOfFewSmallFiles(session)).isFalse();
    int listings =
        CountingFileSystem.listings(root())
            + IntStream.range(0, 40)
                .map(
                    day ->
                        CountingFileSystem.listings(
                            new org.apache.hadoop.fs.Path(root(), "day=" + day)))
                .sum();
    assertThat(listings).isBetween(1, 16);
  }

  private boolean isSmall() {
    return TableSize.of(table()).isOfFewSmallFiles(new Configuration());
  }

  private Table table() {
    Table table = new Table("default", "t");
    table.setDataLocation(root());
    return table;
  }

  private org.apache.hadoop.fs.Path root() {
    return new org.apache.hadoop.fs.Path(directory.toUri());
  }

  private void write(String file, int bytes) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, new byte[bytes]);
  }
}
