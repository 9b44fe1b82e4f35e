/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DateColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorAssignRow;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedBatchUtil;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatchCtx;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils.ObjectInspectorCopyOption;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * The rows of {@link SliceRows} in batches, for files that Hive's vectorised reader does not read
 * rightly, and for slices that have to be merged. Slower than that one by the making of each row.
 */
public final class BatchedRowReader implements RecordReader<NullWritable, VectorizedRowBatch> {
  private final RecordReader<NullWritable, ArrayWritable> rows;
  private final ArrayWritable row;
  private final VectorizedRowBatchCtx batches;
  private final List<? extends StructField> fields;
  private final boolean[] read;
  private final VectorAssignRow assignment = new VectorAssignRow();

  /** Opens a split. */
  public BatchedRowReader(InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    batches = Utilities.getVectorizedRowBatchCtx(job);
    JobConf own = new JobConf(job);
    // In batches structs are whole; from the plan Hive's row reader would take the fields of the
    // query.
    own.unset(HiveConf.ConfVars.PLAN.varname);
    own.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
    try {
      StructObjectInspector inspector = TableColumns.of(own).inspector(own);
      fields = inspector.getAllStructFieldRefs();
      assignment.init(inspector);
    } catch (SerDeException | HiveException e) {
      throw new IOException("the columns of the table are not known: " + e.getMessage(), e);
    }
    read = new boolean[fields.size()];
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> ids = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    for (int i = 0; i < read.length; i++) {
      read[i] = all || ids.contains(i);
    }
    rows = SliceRows.open(split, own, reporter);
    row = rows.createValue();
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    VectorizedBatchUtil.resetNonPartitionColumns(batch);
    markCalendar(batch);
    int size = 0;
    while (size < VectorizedRowBatch.DEFAULT_SIZE && rows.next(null, row)) {
      for (int i = 0; i < read.length; i++) {
        if (read[i] && batch.cols[i] != null) {
          assignment.assignRowColumn(batch, size, i, standardObject(i));
        }
      }
      size++;
    }
    batch.size = size;
    return size > 0;
  }

  private Object standardObject(int column) {
    return ObjectInspectorUtils.copyToStandardObject(
        row.get()[column],
        fields.get(column).getFieldObjectInspector(),
        ObjectInspectorCopyOption.WRITABLE);
  }

  /** As Hive's vectorised reader does: days and times are of the proleptic calendar. */
  private static void markCalendar(VectorizedRowBatch batch) {
    for (ColumnVector column : batch.cols) {
      if (column instanceof DateColumnVector) {
        ((DateColumnVector) column).setUsingProlepticCalendar(true);
      } else if (column instanceof TimestampColumnVector) {
        ((TimestampColumnVector) column).setUsingProlepticCalendar(true);
      }
    }
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public VectorizedRowBatch createValue() {
    return batches.createVectorizedRowBatch();
  }

  @Override
  public long getPos() throws IOException {
    return rows.getPos();
  }

  @Override
  public float getProgress() throws IOException {
    return rows.getProgress();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
