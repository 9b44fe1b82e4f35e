// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.conformance.Expressions.equal;
import static io.hudiskip.conformance.Expressions.expression;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.files.LiveFileList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of an index are chosen by their ordinals as they are by their paths. */
class LiveFilesChoiceTest {
  private static final int HISTORIES = 40;
  private static final int FILES = 12;
  private static final long[] SIZES = {0, 100, 100, 100, 200};

  @TempDir Path folder;

  @Test
  void chosenByOrdinalAsByPath() throws Exception {
    int kept = 0;
    int files = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      Path table = folder.resolve("table-" + seed);
      publish(table, random);
      ParquetIndex index = LocalIndex.open(table, new IndexCache(1 << 20));
      LiveFileList live = index.liveFileList();
      for (String column : new String[] {"a", "b", "not indexed"}) {
        FileVerdicts verdicts = index.evaluate(expression(equal(column, 5)), TermEvaluator.NONE);
        assertThat(verdicts.keeps(live))
            .as("of history %d, for column %s", seed, column)
            .isEqualTo(verdicts.keeps(new ArrayList<>(live)));
        kept += verdicts.keeps(live).cardinality();
        files += live.size();
      }
    }
    assertThat(kept).isBetween(files / 4, files * 9 / 10);
  }

  /** Some data files with rows about the same names, in several sizes or as gone. */
  private static void publish(Path table, Random random) throws Exception {
    IndexWriter writer = new IndexWriter(table);
    List<ObjectNode> dataFiles = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      List<IndexRow> rows = new ArrayList<>();
      String column = random.nextInt(3) == 0 ? "b" : "a";
      for (int file = 0; file < FILES; file++) {
        if (random.nextInt(3) > 0) {
          long value = random.nextInt(10);
          rows.add(
              IndexRow.of(column, "p" + file % 2, "file-" + file, value, value + random.nextInt(4))
                  .fileSize(SIZES[random.nextInt(SIZES.length)]));
        }
      }
      if (!rows.isEmpty()) {
        dataFiles.add(writer.dataFile(1000, rows));
      }
    }
    writer.publish(IndexWriter.manifest(1, dataFiles.toArray(new ObjectNode[0])));
  }
}
