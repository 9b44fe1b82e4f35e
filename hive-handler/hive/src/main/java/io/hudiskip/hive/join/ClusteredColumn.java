// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.join;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.expression.Connective;
import io.hudiskip.expression.ExplainedNode;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.Leaf;
import io.hudiskip.expression.Node;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.expression.leaf.ValueLeaf;
import io.hudiskip.expression.leaf.ValueRange;
import io.hudiskip.hive.index.IndexFactory;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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

  private static final Cache<List<Object>, Boolean> KNOWN =
      Caffeine.newBuilder().maximumSize(1_000).executor(Runnable::run).build();

  private ClusteredColumn() {}

  /** Why values of a column would skip few files; empty if they may skip many. */
  static Optional<String> objection(Configuration conf, Path root, ReadColumn column) {
    try {
      StatisticsIndex index = IndexFactory.open(root.getFileSystem(conf), root);
      List<Object> key =
          Arrays.asList(root, index.generation(), index.instant(), column.name(), column.type());
      Boolean isClustered = KNOWN.getIfPresent(key);
      if (isClustered == null) {
        isClustered = isClustered(index, column);
        KNOWN.put(key, isClustered);
      }
      return isClustered
          ? Optional.empty()
          : Optional.of("a value of the column may be in more than a quarter of the files");
    } catch (IndexUnavailableException | IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static boolean isClustered(StatisticsIndex index, ReadColumn column)
      throws IndexUnavailableException {
    Optional<LiveFiles> live = index.liveFiles();
    if (!live.isPresent() || live.get().files().isEmpty()) {
      return false;
    }
    List<BaseFile> files = live.get().files();
    Samples samples = new Samples(column);
    explain(index, Collections.singletonList(samples), files);
    if (samples.values.isEmpty()) {
      return false;
    }
    List<Node> nodes = new ArrayList<>();
    for (byte[] value : samples.values) {
      nodes.add(
          new ValueLeaf(Operator.EQ, column, Collections.singletonList(ValueRange.of(value))));
    }
    nodes.add(new Connective(Operator.OR, samples.values.size()));
    long kept = 0;
    for (ExplainedNode node : explain(index, nodes, files)) {
      kept += node.depth() == 1 ? node.filesKept() : 0;
    }
    return kept * ONE_OF_FILES <= (long) files.size() * samples.values.size();
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

  /** Keeps every file and takes the lower bounds of some: values that the column has. */
  private static final class Samples extends Leaf {
    private final ReadColumn column;
    private final List<byte[]> values = new ArrayList<>();

    Samples(ReadColumn column) {
      super(Operator.UNKNOWN);
      this.column = column;
    }

    @Override
    public List<ReadColumn> columns() {
      return Collections.singletonList(column);
    }

    @Override
    protected BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among) {
      ColumnVector vector = column.in(statistics);
      int step = Math.max(1, statistics.fileCount() / SAMPLES);
      for (int file = 0; file < statistics.fileCount(); file += step) {
        ColumnStatistics known = vector.range(file);
        if (known != null && known.lower() != null) {
          values.add(known.lower());
        }
      }
      return (BitSet) among.clone();
    }

    @Override
    protected String text() {
      return column.name();
    }
  }
}
