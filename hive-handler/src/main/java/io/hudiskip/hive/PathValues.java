/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

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
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * What the path of a file says about columns that the file does not have: the partition columns of
 * some tables. Hive's readers give NULL for these; here the values are put into each row.
 */
final class PathValues {
  private static final PathValues NONE = new PathValues(Collections.emptyMap());
  private static final String REWRITE =
      ". Rewrite the table without " + HoodieTableConfig.DROP_PARTITION_COLUMNS.key();

  /** By the position of the column in the table; null for NULL. */
  private final Map<Integer, Text> values;

  private PathValues(Map<Integer, Text> values) {
    this.values = values;
  }

  /**
   * The values for a file.
   *
   * @param job configuration of the file's reader
   * @param footer of the file, null if the reader has no need of it
   * @throws IOException when a column that is read has values that cannot be told
   */
  static PathValues of(JobConf job, Path file, @Nullable ParquetMetadata footer)
      throws IOException {
    if (footer == null) {
      return NONE;
    }
    MessageType schema = footer.getFileMetaData().getSchema();
    Map<Integer, String> odd = oddColumns(job, footer);
    if (odd.isEmpty()) { // as most often; the table's properties need not be read
      return NONE;
    }
    try {
      return new PathValues(values(job, file, schema, odd));
    } catch (UnreadableTableException e) {
      throw new IOException(e.getMessage()); // some causes Hive takes for an empty table
    }
  }

  /**
   * The columns that are read and are not in the file, and those that are strings in the table and
   * something else, or nothing but NULL, in the file.
   */
  private static Map<Integer, String> oddColumns(JobConf job, ParquetMetadata footer) {
    MessageType schema = footer.getFileMetaData().getSchema();
    Set<String> filled = filledColumns(footer);
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    List<TypeInfo> types = types(job);
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> read = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    Map<Integer, String> odd = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (all || read.contains(i)) {
        Type stored = ParquetColumns.find(schema, names.get(i));
        if (stored == null
            || (isString(types.get(i))
                && !(isString(stored) && filled.contains(stored.getName())))) {
          odd.put(i, names.get(i).toLowerCase(Locale.ROOT));
        }
      }
    }
    return odd;
  }

  private static Set<String> filledColumns(ParquetMetadata footer) {
    Set<String> filled = new HashSet<>();
    for (BlockMetaData rowGroup : footer.getBlocks()) {
      for (ColumnChunkMetaData column : rowGroup.getColumns()) {
        Statistics<?> statistics = column.getStatistics();
        if (statistics != null
            && statistics.isNumNullsSet()
            && statistics.getNumNulls() < column.getValueCount()) {
          filled.add(column.getPath().toDotString());
        }
      }
    }
    return filled;
  }

  private static Map<Integer, Text> values(
      JobConf job, Path file, MessageType schema, Map<Integer, String> columns)
      throws IOException, UnreadableTableException {
    Path root = TableRoot.of(file.getFileSystem(job), file);
    PartitionColumns partition =
        PartitionColumns.droppedBy(HudiTable.config(job, root.toString()), root.toString());
    if (columns.values().stream().noneMatch(partition::contains)) {
      return Collections.emptyMap();
    }
    if (job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      throw new UnreadableTableException(
          DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS
              + "=true is not possible with "
              + root
              + ": its files lack the partition columns, so positions mean nothing");
    }
    String folder = TableRoot.relativePath(root, file.getParent());
    Map<String, String> told = partition.values(folder == null ? "" : folder);
    List<TypeInfo> types = types(job);
    Map<Integer, Text> values = new HashMap<>();
    for (Map.Entry<Integer, String> column : columns.entrySet()) {
      int position = column.getKey();
      String name = column.getValue();
      if (told.containsKey(name)) {
        String value = told.get(name);
        Type stored = ParquetColumns.find(schema, name);
        if (stored != null && isString(stored) && value != null) {
          // What Hudi's bulk_insert makes of a table that has been written to with insert.
          throw new UnreadableTableException(
              "partition column "
                  + name
                  + " is NULL in "
                  + file
                  + ", and in its path it is not"
                  + REWRITE);
        }
        if (stored == null || !isString(stored)) {
          requireString(name, types.get(position), stored, file);
        }
        values.put(position, value == null ? null : new Text(value));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private static void requireString(
      String column, TypeInfo declared, @Nullable Type stored, Path file)
      throws UnreadableTableException {
    if (stored != null || !isString(declared)) {
      throw new UnreadableTableException(
          "partition column "
              + column
              + " can be read as a string alone; it is "
              + (stored == null ? declared.getTypeName() + " in Hive" : stored + " in " + file)
              + REWRITE);
    }
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
