// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.table.PartitionColumns;
import io.hudiskip.table.TableRoot;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.failure.ReadFailedException;
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
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorAssignRow;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
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
 * Values of partition columns that a file's path gives, in place of the file's, as for Spark and
 * for Hive's own tables. Files may store others: those of records that a global index left in their
 * old partition; or none, if the table keeps the columns out of its files ({@code bulk_insert} and
 * clustering of Hudi 1.0.2 then leave NULL or another column's values there).
 */
final class PathValues {
  private static final PathValues NONE =
      new PathValues(Collections.emptyList(), Collections.emptyMap());

  /** By column position in the table, as Hive's row reader returns them; null for NULL. */
  private final Map<Integer, Writable> values = new HashMap<>();

  private final Map<Integer, VectorAssignRow> assignments = new HashMap<>();

  /** {@code types} are those of the table's columns. */
  private PathValues(List<TypeInfo> types, Map<Integer, String> texts) {
    texts.forEach((position, text) -> put(position, types.get(position), text));
  }

  private void put(int position, TypeInfo type, @Nullable String text) {
    ObjectInspectorConverters.Converter parser =
        ObjectInspectorConverters.getConverter(
            PrimitiveObjectInspectorFactory.writableStringObjectInspector,
            TypeInfoUtils.getStandardWritableObjectInspectorFromTypeInfo(type));
    values.put(position, text == null ? null : (Writable) parser.convert(new Text(text)));
    VectorAssignRow assignment = new VectorAssignRow();
    try {
      assignment.init(type, position);
    } catch (HiveException e) {
      throw new IllegalArgumentException("partition column of type " + type.getTypeName(), e);
    }
    assignments.put(position, assignment);
  }

  /** {@code footer} is null if the reader does not need it. */
  static PathValues of(JobConf job, FileSplit split, @Nullable ParquetMetadata footer)
      throws IOException {
    if (footer == null) {
      return NONE;
    }
    if (split instanceof SliceSplit && !((SliceSplit) split).pathValues().isEmpty()) {
      return ofSplit(job, (SliceSplit) split);
    }
    MessageType schema = footer.getFileMetaData().getSchema();
    Map<Integer, String> candidates = candidates(job, schema);
    if (candidates.isEmpty()) { // saves reading the table's properties
      return NONE;
    }
    try {
      TableScan scan = TableScan.reading(job, split);
      return new PathValues(types(job), values(job, scan, split.getPath(), schema, candidates));
    } catch (UnreadableTableException e) {
      throw new ReadFailedException(e.getMessage());
    }
  }

  /** Those that the split carries, whether its rows come from a base file or from logs. */
  static PathValues ofSplit(JobConf job, SliceSplit split) {
    Map<Integer, String> texts = new HashMap<>();
    columns(job)
        .forEach(
            (position, name) -> {
              if (split.pathValues().containsKey(name)) {
                texts.put(position, split.pathValues().get(name));
              }
            });
    return texts.isEmpty() ? NONE : new PathValues(types(job), texts);
  }

  /** The projected columns that a path may determine: strings, and those the file lacks. */
  private static Map<Integer, String> candidates(JobConf job, MessageType schema) {
    List<TypeInfo> types = types(job);
    Map<Integer, String> candidates = columns(job);
    candidates
        .entrySet()
        .removeIf(
            column ->
                !isString(types.get(column.getKey())) && find(schema, column.getValue()) != null);
    return candidates;
  }

  /** The projected columns' lower-case names, by position. */
  private static Map<Integer, String> columns(JobConf job) {
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> read = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    Map<Integer, String> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (all || read.contains(i)) {
        columns.put(i, names.get(i).toLowerCase(Locale.ROOT));
      }
    }
    return columns;
  }

  private static Map<Integer, String> values(
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
    Map<Integer, String> values = new HashMap<>();
    for (Map.Entry<Integer, String> column : columns.entrySet()) {
      int position = column.getKey();
      String name = column.getValue();
      if (ofPath.containsKey(name)) {
        requireString(name, types.get(position), find(schema, name), file);
        values.put(position, ofPath.get(name));
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
    values.forEach(
        (position, value) -> {
          ColumnVector column = batch.cols[position];
          if (column != null) { // the plan uses it
            column.init(); // for the bytes of a string
            column.isRepeating = true;
            column.noNulls = value != null;
            assignments.get(position).assignRowColumn(batch, 0, 0, value); // its only column
          }
        });
  }
}
