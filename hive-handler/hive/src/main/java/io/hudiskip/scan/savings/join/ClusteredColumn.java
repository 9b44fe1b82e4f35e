// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import io.hudiskip.compile.expression.Connective;
import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.ColumnCache;
import io.hudiskip.index.columns.ColumnOfFiles;
import io.hudiskip.index.columns.IndexFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Whether a value of a column is in few of a table's files, judged by the statistics index: where
 * it is in most, a join's values skip nothing, and waiting for them costs time. A guess about time,
 * never about answers.
 */
final class ClusteredColumn {
  private static final int SAMPLES = 16;

  /** One of this many files may have a value. */
  private static final int ONE_OF_FILES = 4;

  private static final ColumnCache<Boolean> KNOWN = new ColumnCache<>(1_000);

  private ClusteredColumn() {}

  /** Why values of a column would skip few files; empty if they may skip many. */
  static Optional<Objection> objection(Configuration conf, Path root, ReadColumn column) {
    try {
      StatisticsIndex index = IndexFactory.open(root.getFileSystem(conf), root);
      return KNOWN.get(root, index, column, () -> isClustered(index, column))
          ? Optional.empty()
          : Objection.of("a value of the column may be in more than a quarter of the files");
    } catch (IndexUnavailableException | IOException e) {
      return Objection.of(e.getMessage());
    }
  }

  private static boolean isClustered(StatisticsIndex index, ReadColumn column)
      throws IndexUnavailableException {
    Optional<LiveFiles> live = index.liveFiles();
    if (!live.isPresent() || live.get().files().isEmpty()) {
      return false;
    }
    List<BaseFile> files = live.get().files();
    List<byte[]> samples = samples(ColumnOfFiles.read(index, column, files));
    if (samples.isEmpty()) {
      return false;
    }
    List<Node> nodes = new ArrayList<>();
    for (byte[] value : samples) {
      nodes.add(
          new ValueLeaf(Operator.EQ, column, Collections.singletonList(ValueRange.of(value))));
    }
    nodes.add(new Connective(Operator.OR, samples.size()));
    long kept = 0;
    for (ExplainedNode node : explain(index, nodes, files)) {
      kept += node.depth() == 1 ? node.filesKept() : 0;
    }
    return kept * ONE_OF_FILES <= (long) files.size() * samples.size();
  }

  /** Lower bounds: values that the column has, but for long strings. */
  private static List<byte[]> samples(List<Optional<ColumnStatistics>> files) {
    List<byte[]> samples = new ArrayList<>();
    int step = Math.max(1, files.size() / SAMPLES);
    for (int file = 0; file < files.size(); file += step) {
      files.get(file).map(ColumnStatistics::lower).ifPresent(samples::add);
    }
    return samples;
  }

  private static List<ExplainedNode> explain(
      StatisticsIndex index, List<Node> nodes, List<BaseFile> files)
      throws IndexUnavailableException {
    return index.explain(
        new HudiExpression(new byte[0], nodes),
        files,
        StatisticsTable.ofNothing(files.size()),
        TermEvaluator.NONE);
  }
}
