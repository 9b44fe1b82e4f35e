// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.examples;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.storage.ParquetIndex;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Prints the files of a copy-on-write table that may contain matching rows, as of the last commit
 * that its index has seen: {@code KeptFiles TABLE EXPRESSION}. EXPRESSION is the field {@code
 * expression} of {@code hudi-skip explain TABLE --where CONDITION --json}.
 */
public final class KeptFiles {
  private static final long CACHE_BYTES = 64L << 20;

  private KeptFiles() {}

  public static void main(String[] arguments) throws Exception {
    Path table = new Path(arguments[0]);
    Configuration configuration = new Configuration();

    // 1. Decode the filter.
    HudiExpression expression = ExpressionDecoder.decode(Base64.getDecoder().decode(arguments[1]));

    // 2. Open the index. An exception here or below means: read every file. The table's schema,
    // which an engine knows, would tell the units of timestamps.
    StatisticsIndex index =
        ParquetIndex.open(
            table.getFileSystem(configuration), table, CACHE_BYTES, column -> Optional.empty());

    // 3. The files. An engine uses its own listing of the table, which has the files of later
    // commits: the index keeps those. It reads a base file and its logs together, or neither.
    LiveFiles live =
        index.liveFiles().orElseThrow(() -> new IllegalStateException("list the table yourself"));
    List<BaseFile> files = live.files();
    if (files.stream().anyMatch(file -> file.relativePath().contains(".log."))) {
      throw new IllegalStateException("merge-on-read: keep file slices, not single files");
    }

    // 4. Evaluate. Terms that need Hive's own functions keep their files.
    BitSet kept = index.evaluate(expression, TermEvaluator.NONE).keeps(files);
    kept.stream().mapToObj(i -> files.get(i).relativePath()).sorted().forEach(System.out::println);
  }
}
