// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Opens the indexes of tests' tables and evaluates expressions on them, without Hive. */
final class LocalIndex {
  /** Shared, since each new one parses Hadoop's defaults. */
  private static final Configuration CONFIGURATION = new Configuration();

  private LocalIndex() {}

  static ParquetIndex open(Path table, IndexCache cache)
      throws IOException, IndexUnavailableException {
    FileSystem local = FileSystem.getLocal(CONFIGURATION);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(table.toUri());
    return (ParquetIndex)
        ParquetIndex.openIfAny(local, root, cache, RecordedTimestamps.USUAL)
            .orElseThrow(() -> ParquetIndex.missing(local, root));
  }

  static BitSet kept(StatisticsIndex index, HudiExpression expression, List<BaseFile> listing)
      throws IndexUnavailableException {
    return index.evaluate(expression, TermEvaluator.NONE).keeps(listing);
  }

  /** How many files an explanation keeps, which evaluates over the listing alone. */
  static int explained(StatisticsIndex index, HudiExpression expression, List<BaseFile> listing)
      throws IndexUnavailableException {
    StatisticsTable nothing = StatisticsTable.ofNothing(listing.size());
    return index.explain(expression, listing, nothing, TermEvaluator.NONE).get(0).filesKept();
  }

  static BitSet only(int... files) {
    BitSet bits = new BitSet();
    Arrays.stream(files).forEach(bits::set);
    return bits;
  }
}
