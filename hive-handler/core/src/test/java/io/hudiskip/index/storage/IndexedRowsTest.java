// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.index.StatisticsIndex.UNKNOWN_ROWS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.index.BaseFile;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of rows that an index has for files. */
class IndexedRowsTest {
  @TempDir Path table;

  @Test
  void theLastRowForAPathCountsAndOnlyForItsSize() throws Exception {
    IndexWriter writer = new IndexWriter(table);
    writer.publish(
        IndexWriter.manifest(
            1,
            writer.dataFile(
                1000,
                Arrays.asList(
                    row("again", 100),
                    row("gone", 100),
                    row("grown", 100),
                    row("same", 100),
                    row("unread", 100).empty())),
            writer.dataFile(
                1000, Arrays.asList(row("again", 200), row("gone", 0), row("grown", 200)))));
    long[] rows =
        LocalIndex.open(table, new IndexCache(1 << 20))
            .rows(
                Arrays.asList(
                    file("again", 200),
                    file("gone", 100),
                    file("grown", 100),
                    file("new", 100),
                    file("same", 100),
                    file("same", 101),
                    file("unread", 100)));
    assertThat(rows)
        .containsExactly(
            10, UNKNOWN_ROWS, UNKNOWN_ROWS, UNKNOWN_ROWS, 10, UNKNOWN_ROWS, UNKNOWN_ROWS);
  }

  private static IndexRow row(String name, long size) {
    return IndexRow.of("a", "p", name, 0, 9).fileSize(size);
  }

  private static BaseFile file(String name, long size) {
    return new BaseFile("p/" + name, size);
  }
}
