// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.hive.shadow.ShadowCheck;
import io.hudiskip.scan.Saving;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.SplitGenerator;
import io.hudiskip.scan.evolution.FileColumns;
import io.hudiskip.scan.evolution.TimestampUnits;
import io.hudiskip.scan.pages.MatchingRows;
import io.hudiskip.scan.read.BatchedRowReader;
import io.hudiskip.scan.read.CheckedReader;
import io.hudiskip.scan.read.FewRows;
import io.hudiskip.scan.read.MergedBatchReader;
import io.hudiskip.scan.read.OwnRows;
import io.hudiskip.scan.read.RowGroupFilter;
import io.hudiskip.scan.read.SliceRows;
import io.hudiskip.scan.read.VectorizedBaseFileReader;
import io.hudiskip.scan.savings.counts.CountedFiles;
import io.hudiskip.scan.savings.semijoin.SemijoinReader;
import io.hudiskip.scan.savings.semijoin.Semijoins;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.IOContextMap;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.hadoop.HoodieParquetInputFormat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/**
 * Input format of the handler's tables: Hudi lists, the statistics index skips files, and Hive's
 * own Parquet readers read, since Hudi's do not work with Hive 4; Hudi merges slices with logs.
 * Hive recognises it as a Parquet format, so scans stay vectorised.
 */
public class HudiSkippingInputFormat extends HoodieParquetInputFormat {
  private static final List<Saving> SAVINGS = Arrays.asList(new CountedFiles(), new Semijoins());

  /** Called by Hive through reflection. */
  public HudiSkippingInputFormat() {
    super(new SplitGenerator(SAVINGS));
  }

  @Override
  public RecordReader<NullWritable, ArrayWritable> getRecordReader(
      InputSplit split, JobConf task, Reporter reporter) throws IOException {
    forgetFailures(task);
    JobConf job = task;
    if (split instanceof SliceSplit) {
      SliceSplit slice = (SliceSplit) split;
      slice.count(task, reporter);
      if (!slice.timestamps().areUsual()) {
        job = new JobConf(task); // Hive uses the task's for the splits of other tables
        slice.timestamps().setTo(job);
      }
    }
    ShadowCheck.run(split, job, reporter);
    if (SemijoinReader.reads(split)) {
      SliceSplit late = (SliceSplit) split;
      return asDeclared(
          new SemijoinReader(
              late,
              job,
              reporter,
              own -> open(late, own, reporter),
              own -> ShadowCheck.runOfSemijoins(late, own, reporter)));
    }
    return open(split, job, reporter);
  }

  /**
   * Outside LLAP, Hive keeps one record per JVM of a vertex's failures. It never clears it, and so
   * takes every later task of a vertex of that name for aborted: aggregates would return nothing,
   * without an error. A task that opens a reader has not failed yet, as its failure would end it.
   */
  private static void forgetFailures(JobConf task) {
    IOContextMap.get(task).setIOExceptions(false);
  }

  private static RecordReader<NullWritable, ArrayWritable> open(
      InputSplit split, JobConf job, Reporter reporter) throws IOException {
    try {
      return new CheckedReader<>(
          Utilities.getIsVectorized(job)
              ? asDeclared(batches((FileSplit) split, job, reporter))
              : SliceRows.open(split, job, reporter),
          failure -> ReadFailure.of(split, job, failure));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("opening " + split).initCause(e);
    } catch (IOException | RuntimeException e) {
      throw ReadFailure.of(split, job, e);
    }
  }

  private static RecordReader<NullWritable, VectorizedRowBatch> batches(
      FileSplit split, JobConf job, Reporter reporter) throws IOException, InterruptedException {
    Optional<OwnRows> own = SliceRows.ownRows(split);
    if (own.isPresent()) {
      return own.get().batches(job);
    }
    boolean isMerged = SliceRows.isMerged(split);
    if (isMerged && !MergedBatchReader.reads(split)) {
      return new BatchedRowReader(split, job, reporter);
    }
    Path file = split.getPath();
    ParquetMetadata stored = ParquetFileReader.readFooter(job, file);
    ParquetMetadata footer = TimestampUnits.repaired(job, stored);
    FileColumns columns = FileColumns.of(job, file, footer.getFileMetaData().getSchema());
    columns.requireReadable(job);
    if (!columns.areVectorizable(job)) {
      return new BatchedRowReader(split, job, reporter);
    }
    if (isMerged) {
      return new MergedBatchReader((SliceSplit) split, job, footer, columns);
    }
    if (footer == stored && columns.areReadAlike(job)) {
      Optional<MatchingRows> few = FewRows.of(split, job, footer);
      if (few.isPresent()) {
        if (split instanceof SliceSplit) {
          ((SliceSplit) split)
              .counters(job, reporter)
              .add("reader.skipped_rows", few.get().skipped());
        }
        return new BatchedRowReader(few.get(), split, job, reporter);
      }
    }
    JobConf readerJob = columns.arePlain() && footer == stored ? job : RowGroupFilter.without(job);
    return new VectorizedBaseFileReader(split, readerJob, footer, columns);
  }

  /**
   * Hive's vectorised operators accept batches from a reader declared to return rows ({@code
   * MapredParquetInputFormat}).
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static RecordReader<NullWritable, ArrayWritable> asDeclared(RecordReader batches) {
    return batches;
  }
}
