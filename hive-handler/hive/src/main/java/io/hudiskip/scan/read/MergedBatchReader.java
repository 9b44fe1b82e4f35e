// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.evolution.FileColumns;
import io.hudiskip.scan.merge.MergedRecords;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.annotation.Nullable;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/**
 * Reads a slice that Hudi merges, in batches. Hive's vectorised reader reads the base file, and
 * rows that the slice changed are deselected ({@code selected}); Hudi's replacements follow in
 * batches of their own.
 */
public final class MergedBatchReader extends RowBatchReader {
  private static final int SIZE = VectorizedRowBatch.DEFAULT_SIZE;

  private final VectorizedBaseFileReader base;
  private final MergedSlice slice;
  private final ArrayWritable row;

  /** Records that are no rows of the base file and are yet to be returned. */
  private final Deque<IndexedRecord> changed = new ArrayDeque<>();

  /** A record of the base file beyond the current batch. */
  @Nullable private IndexedRecord pending;

  /** The base file's rows in the batch: from {@link #begin} to {@link #end}, exclusive. */
  private long begin;

  private long end;
  private boolean isAtEnd;

  /** Whether a split is merged and has a base file. */
  public static boolean reads(InputSplit split) {
    return SliceRows.isMerged(split) && MergedSlice.hasBaseFile((SliceSplit) split);
  }

  /** Opens a split that it {@link #reads}. */
  public MergedBatchReader(
      SliceSplit split, JobConf job, ParquetMetadata footer, FileColumns columns)
      throws IOException {
    super(job);
    base =
        new VectorizedBaseFileReader(
            split.ofBaseFile(), RowGroupFilter.without(job), footer, columns);
    try {
      slice = new MergedSlice(split, rowJob());
    } catch (IOException | RuntimeException e) {
      base.close();
      throw e;
    }
    row = new ArrayWritable(Writable.class, new Writable[slice.width()]);
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    if (changed.size() >= SIZE) {
      return fill(batch, row);
    }
    int selected = 0;
    // A base batch has at most SIZE rows and was read with fewer than SIZE changed records; with
    // twice as many, all of its rows have been seen.
    while (!isAtEnd && changed.size() < 2 * SIZE) {
      IndexedRecord record = pending == null ? slice.next() : pending;
      pending = null;
      long baseRow = record == null ? -1 : MergedRecords.baseRow(record);
      if (record == null) {
        isAtEnd = true;
      } else if (baseRow < 0) {
        changed.add(record);
      } else if (baseRow < end) {
        batch.selected[selected++] = (int) (baseRow - begin);
      } else {
        pending = record;
        if (selected > 0 || changed.size() >= SIZE) {
          break;
        }
        readBase(batch);
      }
    }
    if (selected == 0) {
      return fill(batch, row);
    }
    batch.selectedInUse = selected < batch.size;
    batch.size = selected;
    return true;
  }

  private void readBase(VectorizedRowBatch batch) throws IOException {
    batch.selectedInUse = false;
    if (!base.next(NullWritable.get(), batch)) {
      throw new IOException("the base file of the slice has fewer rows than records");
    }
    begin = end;
    end += batch.size;
  }

  @Override
  protected boolean nextRow(ArrayWritable next) throws IOException {
    boolean found = !changed.isEmpty();
    if (found) {
      slice.fill(next, changed.remove());
    }
    return found;
  }

  @Override
  public long getPos() throws IOException {
    return base.getPos();
  }

  @Override
  public float getProgress() throws IOException {
    return isAtEnd ? 1 : base.getProgress();
  }

  @Override
  public void close() throws IOException {
    try {
      slice.close();
    } finally {
      base.close();
    }
  }
}
