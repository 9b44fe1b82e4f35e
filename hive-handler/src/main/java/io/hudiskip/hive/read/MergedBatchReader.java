/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import io.hudiskip.evolution.FileColumns;
import io.hudiskip.hive.merge.MergedRecords;
import io.hudiskip.hive.scan.SliceSplit;
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
import org.apache.hadoop.mapred.RecordReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/**
 * The rows of a file slice that Hudi has to put together, in batches. Hive's vectorised reader
 * reads the base file, and the rows that are not as the slice has them are left out of its batches
 * ({@code selected}); those that Hudi has in their place follow in batches of their own.
 */
public final class MergedBatchReader implements RecordReader<NullWritable, VectorizedRowBatch> {
  private static final int SIZE = VectorizedRowBatch.DEFAULT_SIZE;

  private final RowAssignment assignment;
  private final VectorizedBaseFileReader base;
  private final MergedSlice slice;
  private final ArrayWritable row;

  /** Records that are no rows of the base file, and were in no batch yet. */
  private final Deque<IndexedRecord> changed = new ArrayDeque<>();

  /** A record of the base file that is in none of the batches until now. */
  @Nullable private IndexedRecord pending;

  /** The rows of the base file that are in the batch: from here, and before there. */
  private long begin;

  private long end;
  private boolean isAtEnd;

  /** Whether a split is merged, and of a slice that this reads. */
  public static boolean reads(InputSplit split) {
    return SliceRows.isMerged(split) && BaseOfSlice.isIn((SliceSplit) split);
  }

  /**
   * Opens a split that it {@link #reads}.
   *
   * @param footer of the base file
   * @param columns of the base file, which are vectorizable
   */
  public MergedBatchReader(
      SliceSplit split, JobConf job, ParquetMetadata footer, FileColumns columns)
      throws IOException {
    assignment = new RowAssignment(job);
    base =
        new VectorizedBaseFileReader(
            BaseOfSlice.split(split), BaseOfSlice.job(job), footer, columns);
    try {
      slice = new MergedSlice(split, assignment.job());
    } catch (IOException | RuntimeException e) {
      base.close();
      throw e;
    }
    row = new ArrayWritable(Writable.class, new Writable[slice.width()]);
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    if (changed.size() >= SIZE) {
      return fillChanged(batch);
    }
    int selected = 0;
    // A batch of the base file has at most SIZE rows and was read when there were fewer than SIZE
    // changed records: when there are twice as many, all of its rows have been seen.
    while (!isAtEnd && changed.size() < 2 * SIZE) {
      IndexedRecord record = pending == null ? slice.next() : pending;
      pending = null;
      long place = record == null ? -1 : MergedRecords.place(record);
      if (record == null) {
        isAtEnd = true;
      } else if (place < 0) {
        changed.add(record);
      } else if (place < end) {
        batch.selected[selected++] = (int) (place - begin);
      } else {
        pending = record;
        if (selected > 0 || changed.size() >= SIZE) {
          break;
        }
        readBase(batch);
      }
    }
    if (selected == 0) {
      return fillChanged(batch);
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

  private boolean fillChanged(VectorizedRowBatch batch) throws IOException {
    RowAssignment.begin(batch);
    int size = 0;
    while (size < SIZE && !changed.isEmpty()) {
      slice.fill(row, changed.remove());
      assignment.assign(batch, size++, row);
    }
    batch.size = size;
    return size > 0;
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public VectorizedRowBatch createValue() {
    return assignment.createBatch();
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
