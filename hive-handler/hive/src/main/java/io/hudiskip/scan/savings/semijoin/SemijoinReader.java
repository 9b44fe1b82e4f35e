// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.scan.read.TableColumns;
import io.hudiskip.table.UnreadableTableException;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a split at its first row, when what semijoins have found is known, unless their filters
 * drop every row of its file. Hive creates the first reader of a task before that ({@code
 * MapRecordProcessor.init}).
 */
public final class SemijoinReader implements RecordReader<NullWritable, Writable> {
  private static final Logger LOG = LoggerFactory.getLogger(SemijoinReader.class);

  private final SliceSplit split;
  private final JobConf job;
  private final Reporter reporter;
  private final Opening opening;
  private final Predicate<JobConf> isOpenedAnyway;
  private boolean isFirst = true;

  /** Null until the first row, and if there is none. */
  @Nullable private RecordReader<NullWritable, Writable> rows;

  /** Opens the split's own reader. */
  @FunctionalInterface
  public interface Opening {
    RecordReader<NullWritable, ?> open(JobConf job) throws IOException;
  }

  /**
   * For a split that it {@link #reads}.
   *
   * @param opening the reader returns batches if the scan is vectorised
   * @param isOpenedAnyway whether to open the file even if semijoins drop all its rows
   */
  public SemijoinReader(
      SliceSplit split,
      JobConf job,
      Reporter reporter,
      Opening opening,
      Predicate<JobConf> isOpenedAnyway) {
    this.split = split;
    this.job = new JobConf(job); // Hive may change it for the next reader
    this.reporter = reporter;
    this.opening = opening;
    this.isOpenedAnyway = isOpenedAnyway;
  }

  /** Whether a split carries bounds that a semijoin may exclude. */
  public static boolean reads(InputSplit split) {
    return split instanceof SliceSplit
        && ((SliceSplit) split).saving(BoundsOfSplit.class).isPresent();
  }

  @Override
  @SuppressWarnings("unchecked") // the values are those of createValue
  public boolean next(NullWritable key, Writable value) throws IOException {
    if (isFirst) {
      if (isOutside() && !isOpenedAnyway.test(job)) {
        split.counters(job, reporter).add("reader.unopened", 1);
        LOG.debug("Not opened: a semijoin drops every row of {}", split);
      } else {
        rows = (RecordReader<NullWritable, Writable>) opening.open(job);
      }
      isFirst = false; // not if the file cannot be opened: there would seem to be no row
    }
    return rows != null && rows.next(key, value);
  }

  private boolean isOutside() {
    try {
      List<FileBounds> bounds = split.saving(BoundsOfSplit.class).get().bounds();
      return FileBounds.areOutside(bounds, Semijoins.of(TableScan.reading(job, split)), job);
    } catch (UnreadableTableException | IOException | RuntimeException | LinkageError e) {
      LOG.debug("Opening {} without regard to semijoins", split, e);
      return false;
    }
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public Writable createValue() {
    if (Utilities.getIsVectorized(job)) {
      return Utilities.getVectorizedRowBatchCtx(job).createVectorizedRowBatch();
    }
    int columns = TableColumns.inspector(job).getAllStructFieldRefs().size();
    return new ArrayWritable(Writable.class, new Writable[columns]);
  }

  @Override
  public long getPos() throws IOException {
    return rows == null ? 0 : rows.getPos();
  }

  @Override
  public float getProgress() throws IOException {
    if (rows == null) {
      return isFirst ? 0 : 1;
    }
    return rows.getProgress();
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
    }
  }
}
