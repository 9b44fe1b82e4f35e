/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import io.hudiskip.SkippingConf;
import io.hudiskip.SkippingMode;
import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.filter.TypedFilter;
import io.hudiskip.index.DataFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.hadoop.FileStatusWithBootstrapBaseFile;
import org.apache.hudi.hadoop.LocatedFileStatusWithBootstrapBaseFile;
import org.apache.hudi.hadoop.RealtimeFileStatus;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;

/** Decides which files of a listing a scan has to read. */
final class FileSelector {
  private FileSelector() {}

  /**
   * Selects the files that can hold a row for which the scan's filter is true.
   *
   * @param job configuration given to the listing
   * @param root the table's root directory
   * @throws KeepAllFilesException when all files have to be read
   */
  static FileSelection select(JobConf job, Path root, List<FileStatus> listing)
      throws KeepAllFilesException {
    if (SkippingConf.of(job).mode() == SkippingMode.OFF) {
      throw new KeepAllFilesException(SkippingConf.MODE + "=off");
    }
    if (job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      // Hive then reads the columns of a file by position, and the index knows them by name.
      throw new KeepAllFilesException(
          DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS + "=true");
    }
    ExprNodeGenericFuncDesc predicate =
        ScanFilter.of(job, root)
            .orElseThrow(() -> new KeepAllFilesException("the scan has no filter"));
    TypedFilter filter = TypedFilter.of(predicate);
    if (filter.isEmpty()) {
      throw new KeepAllFilesException(filter.emptyReason());
    }
    byte[] pushed = PushedExpression.of(job, filter);
    HudiExpression expression = decode(pushed == null ? compile(job, filter) : pushed, filter);
    try {
      StatisticsIndex index = StatisticsIndex.open(root.getFileSystem(job), root);
      return new FileSelection(
          candidates(index, expression, root, listing),
          pushed == null ? "compiled" : "pushed",
          index.generation(),
          index.instant(),
          expression.toString());
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

  private static HudiExpression decode(byte[] bytes, TypedFilter filter)
      throws KeepAllFilesException {
    try {
      HudiExpression expression = HudiExpression.decode(bytes);
      if (!Arrays.equals(expression.fingerprint(), filter.fingerprint())) {
        throw new KeepAllFilesException("the compiled expression belongs to another filter");
      }
      return expression;
    } catch (ExpressionFormatException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private static BitSet candidates(
      StatisticsIndex index, HudiExpression expression, Path root, List<FileStatus> listing)
      throws IndexUnavailableException {
    BitSet kept = new BitSet(listing.size());
    List<DataFile> files = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < listing.size(); i++) {
      FileStatus status = listing.get(i);
      String relative = relativePath(root, status.getPath());
      if (relative != null && isPlainBaseFile(status)) {
        files.add(new DataFile(relative, status.getLen()));
        positions.add(i);
      } else {
        kept.set(i); // the statistics of a base file say nothing of rows that come from elsewhere
      }
    }
    BitSet candidates = index.candidates(expression, files);
    for (int i = 0; i < files.size(); i++) {
      kept.set(positions.get(i), candidates.get(i));
    }
    return kept;
  }

  private static boolean isPlainBaseFile(FileStatus status) {
    return FSUtils.isBaseFile(HadoopFSUtils.convertToStoragePath(status.getPath()))
        && !(status instanceof RealtimeFileStatus)
        && !(status instanceof FileStatusWithBootstrapBaseFile)
        && !(status instanceof LocatedFileStatusWithBootstrapBaseFile);
  }

  /** The path relative to the table's root, null if it is not under it. */
  private static String relativePath(Path root, Path file) {
    String prefix = root.toUri().getPath() + "/";
    String path = file.toUri().getPath();
    return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }
}
