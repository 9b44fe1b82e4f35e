// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.statistics.Supplemented;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexState;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.table.PartitionValues;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An index of a table's files in which {@link PartitionValues} replace what the files have: readers
 * return these, so the index's statistics of other values prove nothing.
 */
public final class PartitionedIndex implements StatisticsIndex {
  private final StatisticsIndex index;
  private final PartitionValues values;

  public PartitionedIndex(StatisticsIndex index, PartitionValues values) {
    this.index = index;
    this.values = values;
  }

  @Override
  public BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    if (!values.areOfAny(expression.columns())) {
      return index.keeps(expression, listing, beside, terms);
    }
    StatisticsTable known = new Supplemented(beside, values.statistics(partitions(listing), true));
    // Cheaper than the index, which cannot exclude runs of files by these columns any more.
    int[] left = expression.evaluate(known, terms).stream().toArray();
    List<BaseFile> files = Arrays.stream(left).mapToObj(listing::get).collect(Collectors.toList());
    StatisticsTable ofLeft =
        new Supplemented(StatisticsTable.ofNothing(left.length), known, file -> left[file]);
    BitSet kept = new BitSet();
    index.keeps(expression, files, ofLeft, terms).stream().forEach(file -> kept.set(left[file]));
    return kept;
  }

  /** Waits for the listing, whose paths have the values. */
  @Override
  public FileVerdicts evaluate(HudiExpression expression, TermEvaluator terms)
      throws IndexUnavailableException {
    return values.areOfAny(expression.columns())
        ? StatisticsIndex.super.evaluate(expression, terms)
        : index.evaluate(expression, terms);
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    if (!values.areOfAny(expression.columns())) {
      return index.explain(expression, listing, beside, terms);
    }
    StatisticsTable known = values.statistics(partitions(listing), true, index.rows(listing));
    return index.explain(expression, listing, new Supplemented(beside, known), terms);
  }

  private static List<String> partitions(List<BaseFile> listing) {
    return listing.stream().map(BaseFile::folder).collect(Collectors.toList());
  }

  @Override
  public long generation() {
    return index.generation();
  }

  @Override
  public String instant() {
    return index.instant();
  }

  @Override
  public IndexState state() {
    return index.state();
  }

  @Override
  public Optional<LiveTotals> live() {
    return index.live();
  }

  @Override
  public Optional<LiveFiles> liveFiles() throws IndexUnavailableException {
    return index.liveFiles();
  }

  @Override
  public void check() throws IndexUnavailableException {
    index.check();
  }

  @Override
  public Optional<SeenTimeline> seen() {
    return index.seen();
  }

  @Override
  public Optional<BitSet> notIndexed(List<BaseFile> listing) throws IndexUnavailableException {
    return index.notIndexed(listing);
  }

  @Override
  public long[] rows(List<BaseFile> listing) throws IndexUnavailableException {
    return index.rows(listing);
  }
}
