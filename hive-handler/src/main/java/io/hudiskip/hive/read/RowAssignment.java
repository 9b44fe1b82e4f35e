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
import org.apache.hadoop.mapred.JobConf;

/** Puts rows into batches of a vectorised scan. */
final class RowAssignment {
  private final JobConf job;
  private final VectorizedRowBatchCtx batches;
  private final List<? extends StructField> fields;
  private final boolean[] read;
  private final VectorAssignRow assignment = new VectorAssignRow();

  /**
   * @param scan configuration of the vectorised scan
   */
  RowAssignment(JobConf scan) throws IOException {
    batches = Utilities.getVectorizedRowBatchCtx(scan);
    job = new JobConf(scan);
    // In batches structs are whole; from the plan Hive's row reader would take the fields of the
    // query.
    job.unset(HiveConf.ConfVars.PLAN.varname);
    job.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
    try {
      StructObjectInspector inspector = TableColumns.of(job).inspector(job);
      fields = inspector.getAllStructFieldRefs();
      assignment.init(inspector);
    } catch (SerDeException | HiveException e) {
      throw new IOException("the columns of the table are not known: " + e.getMessage(), e);
    }
    read = new boolean[fields.size()];
    boolean all = ColumnProjectionUtils.isReadAllColumns(scan);
    Set<Integer> ids = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(scan));
    for (int i = 0; i < read.length; i++) {
      read[i] = all || ids.contains(i);
    }
  }

  /** The configuration for a reader of the rows. */
  JobConf job() {
    return job;
  }

  VectorizedRowBatch createBatch() {
    return batches.createVectorizedRowBatch();
  }

  /** Empties a batch, which is to be filled with rows. */
  static void begin(VectorizedRowBatch batch) {
    VectorizedBatchUtil.resetNonPartitionColumns(batch);
    batch.selectedInUse = false;
    // As Hive's vectorised reader does: days and times are of the proleptic calendar.
    for (ColumnVector column : batch.cols) {
      if (column instanceof DateColumnVector) {
        ((DateColumnVector) column).setUsingProlepticCalendar(true);
      } else if (column instanceof TimestampColumnVector) {
        ((TimestampColumnVector) column).setUsingProlepticCalendar(true);
      }
    }
  }

  /** Puts a row at a position of a batch. */
  void assign(VectorizedRowBatch batch, int position, ArrayWritable row) {
    for (int i = 0; i < read.length; i++) {
      if (read[i] && batch.cols[i] != null) {
        assignment.assignRowColumn(batch, position, i, standardObject(row, i));
      }
    }
  }

  private Object standardObject(ArrayWritable row, int column) {
    return ObjectInspectorUtils.copyToStandardObject(
        row.get()[column],
        fields.get(column).getFieldObjectInspector(),
        ObjectInspectorCopyOption.WRITABLE);
  }
}
