// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.read;

import io.hudiskip.hive.failure.ReadFailedException;
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
 * Values that a file's path gives for partition columns missing from the files. Hive's readers
 * return NULL for these, or the file's values: Hudi 1.0.2's {@code bulk_insert} and clustering
 * leave the column in place with NULL or another column's values. For Hudi and Spark only the path
 * counts, so its values are put into each row here.
 */
final class PathValues {
  private static final PathValues NONE = new PathValues(Collections.emptyMap());

  /** By column position in the table; null for NULL. */
  private final Map<Integer, Text> values;

  private PathValues(Map<Integer, Text> values) {
    this.values = values;
  }

  /** {@code footer} is null if the reader does not need it. */
  static PathValues of(JobConf job, FileSplit split, @Nullable ParquetMetadata footer)
      throws IOException {
    if (footer == null) {
      return NONE;
    }
    MessageType schema = footer.getFileMetaData().getSchema();
    Map<Integer, String> candidates = candidates(job, schema);
    if (candidates.isEmpty()) { // saves reading the table's properties
      return NONE;
    }
    try {
      TableScan scan = TableScan.reading(job, split);
      return new PathValues(values(job, scan, split.getPath(), schema, candidates));
    } catch (UnreadableTableException e) {
      throw new ReadFailedException(e.getMessage());
    }
  }

  /** The projected columns that a path may determine: strings, and those the file lacks. */
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
              + "=true does not work for "
              + scan.root()
              + ": its files lack the partition columns, so positions do not match. Unset it");
    }
    String folder = TableRoot.relativePath(scan.root(), file.getParent());
    Map<String, String> ofPath = partition.values(folder == null ? "" : folder);
    List<TypeInfo> types = types(job);
    Map<Integer, Text> values = new HashMap<>();
    for (Map.Entry<Integer, String> column : columns.entrySet()) {
      int position = column.getKey();
      String name = column.getValue();
      if (ofPath.containsKey(name)) {
        requireString(name, types.get(position), find(schema, name), file);
        String value = ofPath.get(name);
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
              + " can only be read as a string, but is "
              + (isOtherwiseStored ? stored + " in " + file : declared.getTypeName() + " in Hive")
              + ". Rewrite the table without "
              + HoodieTableConfig.DROP_PARTITION_COLUMNS.key());
    }
  }

  /** The column that Hive reads for a name; null if the file has none. */
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

  void fill(ArrayWritable row) {
    Writable[] columns = row.get();
    values.forEach((position, value) -> columns[position] = value);
  }

  void fill(VectorizedRowBatch batch) {
    values.forEach((position, value) -> fill((BytesColumnVector) batch.cols[position], value));
  }

  private static void fill(@Nullable BytesColumnVector column, @Nullable Text value) {
    if (column == null) { // not used by the plan
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
