/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingConf;
import io.hudiskip.SkippingMode;
import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.filter.TypedFilter;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.factory.IndexFactory;
import io.hudiskip.term.HiveTermEvaluator;
import io.hudiskip.thrift.CompileResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which files of a listing a scan has to read. */
public final class FileSelector {
  private static final Logger LOG = LoggerFactory.getLogger(FileSelector.class);

  private FileSelector() {}

  /**
   * Selects the files that can hold a row for which the scan's filter is true.
   *
   * @param job configuration given to the listing
   * @param root the table's root directory
   * @throws KeepAllFilesException when all files have to be read
   */
  public static FileSelection select(JobConf job, Path root, List<FileStatus> listing)
      throws KeepAllFilesException {
    if (SkippingConf.of(job).mode() == SkippingMode.OFF) {
      throw new KeepAllFilesException(SkippingConf.MODE + "=off");
    }
    Optional<String> switchedOff = PushdownSwitches.off(job);
    if (switchedOff.isPresent()) {
      throw new KeepAllFilesException(switchedOff.get());
    }
    if (job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      // Hive then reads the columns of a file by position, and the index knows them by name.
      throw new KeepAllFilesException(
          DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS + "=true");
    }
    Optional<ExprNodeGenericFuncDesc> predicate = ScanFilter.of(job, root);
    TypedFilter filter = TypedFilter.of(predicate.orElse(null));
    int dynamicTerms = Math.max(filter.dynamicTerms(), ScanFilter.dynamicTerms(job, root));
    try {
      return select(job, root, listing, filter, dynamicTerms);
    } catch (KeepAllFilesException e) {
      throw e.withDynamicTerms(dynamicTerms);
    }
  }

  /**
   * Whether the scan's filter is TRUE for no row of any file, so that nothing need be listed. Only
   * where skipping is on and neither checked nor explained: both want to see the files.
   */
  static boolean needsNoFile(JobConf job, Path root) throws KeepAllFilesException {
    SkippingConf conf = SkippingConf.of(job);
    if (conf.mode() != SkippingMode.ON || conf.explain() || PushdownSwitches.off(job).isPresent()) {
      return false;
    }
    TypedFilter filter = TypedFilter.of(ScanFilter.of(job, root).orElse(null));
    if (filter.isEmpty()) {
      return false;
    }
    byte[] pushed = PushedExpression.of(job, filter);
    return decode(pushed == null ? compile(job, filter) : pushed, filter).isNever();
  }

  private static FileSelection select(
      JobConf job, Path root, List<FileStatus> listing, TypedFilter filter, int dynamicTerms)
      throws KeepAllFilesException {
    if (filter.isEmpty()) {
      throw new KeepAllFilesException(filter.emptyReason());
    }
    byte[] pushed = PushedExpression.of(job, filter);
    HudiExpression expression = decode(pushed == null ? compile(job, filter) : pushed, filter);
    HiveTermEvaluator terms = new HiveTermEvaluator(job, filter);
    try {
      StatisticsIndex index =
          IndexFactory.open(root.getFileSystem(job), root, SkippingConf.of(job).index());
      IndexedListing files = IndexedListing.of(root, listing);
      BitSet kept = files.kept(index.candidates(expression, files.files(), terms));
      String explanation =
          SkippingConf.of(job).explain()
              ? ExplanationText.of(
                  explained(job, filter),
                  index.explain(expression, files.files(), terms),
                  listing.size(),
                  kept.cardinality(),
                  index.generation(),
                  index.instant(),
                  dynamicTerms)
              : null;
      return new FileSelection(
          kept,
          pushed == null ? "compiled" : "pushed",
          index.generation(),
          index.instant(),
          expression.toString(),
          dynamicTerms,
          explanation);
    } catch (IndexUnavailableException | IOException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private static byte[] compile(JobConf job, TypedFilter filter) throws KeepAllFilesException {
    try {
      return FilterCompiler.compile(job, job, filter);
    } catch (CompilerUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /** An expression that was pushed says no more how it came about. */
  private static CompileResponse explained(JobConf job, TypedFilter filter) {
    try {
      return FilterCompiler.explain(job, job, filter);
    } catch (CompilerUnavailableException e) {
      LOG.debug("The compiler cannot be asked to explain", e);
      return new CompileResponse().setUnderstood("not known: " + e.getMessage());
    }
  }

  private static HudiExpression decode(byte[] bytes, TypedFilter filter)
      throws KeepAllFilesException {
    try {
      HudiExpression expression = ExpressionDecoder.decode(bytes);
      if (!Arrays.equals(expression.fingerprint(), filter.fingerprint())) {
        throw new KeepAllFilesException("the compiled expression belongs to another filter");
      }
      return expression;
    } catch (ExpressionFormatException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }
}
