// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.SharedClients;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.filter.Complement;
import io.hudiskip.compile.request.Compilation;
import io.hudiskip.compile.request.CompileCalls;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.term.HiveTermEvaluator;
import io.hudiskip.hive.settings.PushdownSwitches;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.scan.savings.topk.FirstFiles;
import io.hudiskip.scan.savings.topk.FirstRows;
import io.hudiskip.scan.savings.topk.NeededRows;
import io.hudiskip.table.Merging;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.commits.CommitTimes;
import io.hudiskip.table.source.KeepAllFilesException;
import io.hudiskip.table.source.MatchingPartitions;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which file slices of a listing a scan must read. */
public final class FileSelector {
  private static final Logger LOG = LoggerFactory.getLogger(FileSelector.class);

  private FileSelector() {}

  /**
   * Selects the slices that may contain a row for which the scan's filter is true.
   *
   * @throws KeepAllFilesException when all must be read
   */
  public static FileSelection select(TableScan scan, List<FileSlice> listing)
      throws KeepAllFilesException {
    Optional<String> switchedOff = scan.switchedOff();
    if (switchedOff.isPresent()) {
      throw new KeepAllFilesException(switchedOff.get());
    }
    int dynamicTerms = scan.filter().dynamicTerms();
    try {
      Optional<NeededRows> needed = ScanOperators.neededRows(scan);
      if (needed.isPresent() && !needed.get().filter().isPresent()) {
        return selectFirst(scan, scan.index(), indexed(scan, listing), needed.get());
      }
      CompiledFilter compiled = scan.compiled();
      IndexedSlices slices = indexed(scan, listing);
      FileSelection matching = select(scan, slices, listing.size(), compiled, dynamicTerms);
      return needed.isPresent()
          ? matching.among(selectFirst(scan, scan.indexIfAny(), slices, needed.get()))
          : matching;
    } catch (IndexUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e).withDynamicTerms(dynamicTerms);
    } catch (KeepAllFilesException e) {
      throw e.withDynamicTerms(dynamicTerms);
    }
  }

  /**
   * Whether the scan's filter is TRUE for no row, so no listing is needed. Only in mode {@code on}
   * without explanations, as shadow mode and explanations need the files.
   */
  static boolean needsNoFile(TableScan scan) throws KeepAllFilesException {
    return scan.mode() == SkippingMode.ON
        && !scan.settings().explain()
        && !PushdownSwitches.off(scan.job()).isPresent()
        && !scan.filter().isEmpty()
        && scan.compiled().expression().isNever();
  }

  private static IndexedSlices indexed(TableScan scan, List<FileSlice> listing)
      throws KeepAllFilesException {
    return IndexedSlices.of(listing, areRecordsWhole(scan, listing));
  }

  /** Whether each row of some slices is a whole record of one of its files. */
  private static boolean areRecordsWhole(TableScan scan, List<FileSlice> slices)
      throws KeepAllFilesException {
    if (slices.stream().noneMatch(FileSlice::hasLogFiles)) {
      return true; // the table need not be opened
    }
    try {
      return Merging.keepsRecordsWhole(scan.table().metaClient().getTableConfig());
    } catch (UnreadableTableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private static FileSelection select(
      TableScan scan, IndexedSlices slices, int listed, CompiledFilter compiled, int dynamicTerms)
      throws KeepAllFilesException, IndexUnavailableException {
    HudiExpression expression = compiled.expression();
    boolean readsCommitTime = expression.columns().contains(CommitTimes.COLUMN);
    Optional<MatchingPartitions> partitions = scan.matchingPartitions();
    StatisticsTable beside =
        readsCommitTime
            ? scan.commitTimes().of(slices.slicesOfFiles())
            : StatisticsTable.ofNothing(slices.files().size());
    boolean needsIndex = !readsCommitTime && !partitions.isPresent();
    StatisticsIndex index = needsIndex ? scan.index() : scan.indexIfAny();
    BitSet kept =
        slices.kept(
            needsIndex
                ? scan.verdicts().keeps(slices.files())
                : index.keeps(expression, slices.files(), beside, scan.terms()));
    Optional<String> without = scan.withoutIndex();
    boolean areLeftOut = partitions.isPresent() && partitions.get().leftOut() > 0;
    if (without.isPresent() && kept.cardinality() == listed && !areLeftOut) {
      throw new KeepAllFilesException(without.get());
    }
    String explanation =
        scan.settings().explain()
            ? LoggedExplanation.of(
                explained(scan),
                index.explain(expression, slices.files(), beside, scan.terms()),
                listed,
                kept.cardinality(),
                index.state(),
                dynamicTerms)
            : null;
    return new FileSelection(
        kept,
        without.isPresent() && partitions.isPresent()
            ? FileSelection.PARTITIONS
            : compiled.source(),
        index.state(),
        expression.toString(),
        dynamicTerms,
        explanation);
  }

  /** Selects the slices that may contain one of the only rows that the statement needs. */
  private static FileSelection selectFirst(
      TableScan scan, StatisticsIndex index, IndexedSlices slices, NeededRows needed)
      throws KeepAllFilesException, IndexUnavailableException {
    List<FileSlice> slicesOfFiles = slices.slicesOfFiles();
    BitSet whole = new BitSet();
    for (int i = 0; i < slicesOfFiles.size(); i++) {
      // A log may replace or delete any row of its base file.
      whole.set(i, !slicesOfFiles.get(i).hasLogFiles());
    }
    BitSet counted = (BitSet) whole.clone();
    if (needed.filter().isPresent()) {
      counted.and(matching(scan, needed.filter().get(), index, slices.files()));
    }
    BitSet kept = new BitSet();
    StringJoiner text = new StringJoiner("; ");
    for (FirstRows rows : needed.orders()) {
      FirstFiles files = FirstFiles.of(rows, index, slices.files(), whole, counted);
      kept.or(files.kept()); // a row that one order does not need, another may
      text.add(files.toString());
    }
    return new FileSelection(slices.kept(kept), "topk", index.state(), text.toString(), 0, null);
  }

  /**
   * Positions of the files in which every row matches a filter; none unless the {@link Complement}
   * of exactly this filter was pushed.
   */
  public static BitSet matching(
      TableScan scan, ExprNodeDesc filter, StatisticsIndex index, List<BaseFile> files)
      throws KeepAllFilesException, IndexUnavailableException {
    TypedFilter complement = TypedFilter.of(Complement.of(filter));
    Optional<PushedExpression> pushed =
        complement.isEmpty() // as of a filter with values known only at run time
            ? Optional.empty()
            : PushedExpression.of(scan.job()).flatMap(own -> own.complement(complement));
    BitSet matching = new BitSet();
    if (pushed.isPresent()) {
      matching.set(0, files.size());
      // A file that has no row of the complement has only rows for which the filter is TRUE.
      matching.andNot(
          index.keeps(
              CompiledFilter.decoded(pushed.get(), complement),
              files,
              StatisticsTable.ofNothing(files.size()),
              new HiveTermEvaluator(scan.job(), complement)));
    }
    return matching;
  }

  /** A pushed expression carries no explanation, so this compiles again. */
  private static Compilation explained(TableScan scan) throws KeepAllFilesException {
    if (scan.filter().typed().isEmpty()) {
      return Compilation.unexplained("none but values of joins");
    }
    try {
      return CompileCalls.explain(SharedClients.get(scan.job()), scan.job(), scan.filter().typed());
    } catch (CompilerUnavailableException e) {
      LOG.debug("The compiler cannot explain the filter", e);
      return Compilation.unexplained("not known: " + e.getMessage());
    }
  }
}
