// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

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
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils.ObjectInspectorCopyOption;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/** Reads batches of a vectorised scan, and copies rows into them. */
public abstract class RowBatchReader implements RecordReader<NullWritable, VectorizedRowBatch> {
  private final JobConf rowJob;
  private final VectorizedRowBatchCtx batches;
  private final List<? extends StructField> fields;
  private final boolean[] read;
  private final VectorAssignRow assignment = new VectorAssignRow();

  protected RowBatchReader(JobConf job) throws IOException {
    batches = Utilities.getVectorizedRowBatchCtx(job);
    rowJob = new JobConf(job);
    // Batches contain whole structs; from the plan, Hive's row reader would take the query's
    // fields.
    rowJob.unset(HiveConf.ConfVars.PLAN.varname);
    rowJob.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
    StructObjectInspector inspector = TableColumns.inspector(rowJob);
    fields = inspector.getAllStructFieldRefs();
    try {
      assignment.init(inspector);
    } catch (HiveException e) {
      throw new IOException("cannot determine the columns of the table: " + e.getMessage(), e);
    }
    read = new boolean[fields.size()];
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> ids = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    for (int i = 0; i < read.length; i++) {
      read[i] = all || ids.contains(i);
    }
  }

  /** The configuration for reading the rows. */
  protected JobConf rowJob() {
    return rowJob;
  }

  /** Reads a row to be copied; false when there is no further one. */
  protected abstract boolean nextRow(ArrayWritable row) throws IOException;

  /** Fills a batch with rows, each read into {@code row}; false if there is none. */
  protected boolean fill(VectorizedRowBatch batch, ArrayWritable row) throws IOException {
    VectorizedBatchUtil.resetNonPartitionColumns(batch);
    batch.selectedInUse = false;
    // As in Hive's vectorised reader, dates and timestamps use the proleptic calendar.
    for (ColumnVector column : batch.cols) {
      if (column instanceof DateColumnVector) {
        ((DateColumnVector) column).setUsingProlepticCalendar(true);
      } else if (column instanceof TimestampColumnVector) {
        ((TimestampColumnVector) column).setUsingProlepticCalendar(true);
      }
    }
    int size = 0;
    while (size < VectorizedRowBatch.DEFAULT_SIZE && nextRow(row)) {
      assign(batch, size++, row);
    }
    batch.size = size;
    return size > 0;
  }

  private void assign(VectorizedRowBatch batch, int position, ArrayWritable row) {
    for (int i = 0; i < read.length; i++) {
      if (read[i] && batch.cols[i] != null) {
        Object value =
            ObjectInspectorUtils.copyToStandardObject(
                row.get()[i],
                fields.get(i).getFieldObjectInspector(),
                ObjectInspectorCopyOption.WRITABLE);
        assignment.assignRowColumn(batch, position, i, value);
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
}
