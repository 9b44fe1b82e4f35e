/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import io.hudiskip.hive.scan.TableScan;
import io.hudiskip.hive.table.PartitionColumns;
import io.hudiskip.hive.table.TableRoot;
import io.hudiskip.hive.table.UnreadableTableException;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * What the path of a file says about the partition columns of tables that keep them out of their
 * files. Hive's readers give NULL for these, or what the file has all the same: Hudi 1.0.2's {@code
 * bulk_insert} and clustering leave the column there with NULL or another column's values. For Hudi
 * and Spark the path alone counts, and so its values are put into each row here.
 */
final class PathValues {
  private static final PathValues NONE = new PathValues(Collections.emptyMap());

  /** By the position of the column in the table; null for NULL. */
  private final Map<Integer, Text> values;

  private PathValues(Map<Integer, Text> values) {
    this.values = values;
  }

  /**
   * The values for the file of a split.
   *
   * @param job configuration of the file's reader
   * @param footer of the file, null if the reader has no need of it
   * @throws IOException when a column that is read has values that cannot be told
   */
  static PathValues of(JobConf job, FileSplit split, @Nullable ParquetMetadata footer)
      throws IOException {
    if (footer == null) {
      return NONE;
    }
    MessageType schema = footer.getFileMetaData().getSchema();
    Map<Integer, String> candidates = candidates(job, schema);
    if (candidates.isEmpty()) { // the table's properties need not be looked at
      return NONE;
    }
    try {
      TableScan scan = TableScan.reading(job, split);
      return new PathValues(values(job, scan, split.getPath(), schema, candidates));
    } catch (UnreadableTableException e) {
      throw new IOException(e.getMessage()); // some causes Hive takes for an empty table
    }
  }

  /** The columns that are read and can be told by a path: strings, and what the file lacks. */
  private static Map<Integer, String> candidates(JobConf job, MessageType schema) {
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    List<TypeInfo> types = types(job);
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> read = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    Map<Integer, String> candidates = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if ((all || read.contains(i))
          && (isString(types.get(i)) || find(schema, names.get(i)) == null)) {
        candidates.put(i, names.get(i).toLowerCase(Locale.ROOT));
      }
    }
    return candidates;
  }

  private static Map<Integer, Text> values(
      JobConf job, TableScan scan, Path file, MessageType schema, Map<Integer, String> columns)
      throws UnreadableTableException {
    PartitionColumns partition = scan.columnsOfPaths();
    if (columns.values().stream().noneMatch(partition::contains)) {
      return Collections.emptyMap();
    }
    if (job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      throw new UnreadableTableException(
          DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS
              + "=true is not possible with "
              + scan.root()
              + ": its files lack the partition columns, so positions mean nothing");
    }
    String folder = TableRoot.relativePath(scan.root(), file.getParent());
    Map<String, String> told = partition.values(folder == null ? "" : folder);
    List<TypeInfo> types = types(job);
    Map<Integer, Text> values = new HashMap<>();
    for (Map.Entry<Integer, String> column : columns.entrySet()) {
      int position = column.getKey();
      String name = column.getValue();
      if (told.containsKey(name)) {
        requireString(name, types.get(position), find(schema, name), file);
        String value = told.get(name);
        values.put(position, value == null ? null : new Text(value));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private static void requireString(
      String column, TypeInfo declared, @Nullable Type stored, Path file)
      throws UnreadableTableException {
    boolean isOtherwiseStored = stored != null && !isString(stored);
    if (isOtherwiseStored || !isString(declared)) {
      throw new UnreadableTableException(
          "partition column "
              + column
              + " can be read as a string alone; it is "
              + (isOtherwiseStored ? stored + " in " + file : declared.getTypeName() + " in Hive")
              + ". Rewrite the table without "
              + HoodieTableConfig.DROP_PARTITION_COLUMNS.key());
    }
  }

  /** The column that Hive reads for a name, null if the file has none. */
  @Nullable
  private static Type find(MessageType schema, String name) {
    for (Type field : schema.getFields()) {
      if (field.getName().equalsIgnoreCase(name)) {
        return field;
      }
    }
    return null;
  }

  private static List<TypeInfo> types(JobConf job) {
    return DataWritableReadSupport.getColumnTypes(job.get(serdeConstants.LIST_COLUMN_TYPES, ""));
  }

  private static boolean isString(TypeInfo type) {
    return type.equals(TypeInfoFactory.stringTypeInfo);
  }

  private static boolean isString(Type stored) {
    return LogicalTypeAnnotation.stringType().equals(stored.getLogicalTypeAnnotation());
  }

  /** Completes a row. */
  void fill(ArrayWritable row) {
    Writable[] columns = row.get();
    values.forEach((position, value) -> columns[position] = value);
  }

  /** Completes a batch of rows. */
  void fill(VectorizedRowBatch batch) {
    values.forEach((position, value) -> fill((BytesColumnVector) batch.cols[position], value));
  }

  private static void fill(@Nullable BytesColumnVector column, @Nullable Text value) {
    if (column == null) { // the plan does not use it
      return;
    }
    column.isRepeating = true;
    column.noNulls = value != null;
    column.isNull[0] = value == null;
    if (value != null) {
      column.setRef(0, value.getBytes(), 0, value.getLength());
    }
  }
}
