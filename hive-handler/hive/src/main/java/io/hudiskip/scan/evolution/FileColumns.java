// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import io.hudiskip.table.failure.ReadFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * A table's columns in one of its files, which may be older than the table's schema. Hive's readers
 * get the table's types; for a file of other types they return NULL, numbers cut to 32 bits, or an
 * error that names neither column nor file.
 */
public final class FileColumns {
  private final Path file;

  /** By position in the table, without virtual columns that may follow. */
  private final List<FileColumn> columns;

  private final List<TypeInfo> tableTypes;

  private FileColumns(Path file, List<FileColumn> columns, List<TypeInfo> tableTypes) {
    this.file = file;
    this.columns = columns;
    this.tableTypes = tableTypes;
  }

  /** {@code job} has the names and types of the table's columns, as Hive's readers take them. */
  public static FileColumns of(Configuration job, Path file, MessageType schema) {
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    List<TypeInfo> types =
        DataWritableReadSupport.getColumnTypes(job.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    boolean byPosition = job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false);
    Map<String, Type> fields = new HashMap<>();
    for (Type field : schema.getFields()) {
      fields.put(field.getName().toLowerCase(Locale.ROOT), field);
    }
    List<FileColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Type field =
          byPosition
              ? (i < schema.getFieldCount() ? schema.getType(i) : null)
              : fields.get(names.get(i).toLowerCase(Locale.ROOT));
      columns.add(new FileColumn(names.get(i), types.get(i), field));
    }
    return new FileColumns(file, Collections.unmodifiableList(columns), types);
  }

  /** Whether every column is missing in the file or has the table's type. */
  public boolean arePlain() {
    return columns.stream().allMatch(FileColumn::isPlain);
  }

  /**
   * Whether Hive's vectorised reader reads the projected columns correctly, given {@link
   * #widenFloats}.
   */
  public boolean areVectorizable(Configuration job) {
    Set<String> paths = ColumnProjectionUtils.getNestedColumnPaths(job);
    return read(job).stream().allMatch(column -> column.isVectorizable(paths))
        && columns.stream().noneMatch(FileColumn::blocksVectorization);
  }

  /** Whether Hive's row reader and its vectorised one return the same projected values. */
  public boolean areReadAlike(Configuration job) {
    return arePlain() && read(job).stream().allMatch(FileColumn::isReadAlike);
  }

  /**
   * Checks that the projected columns can be read.
   *
   * @throws ReadFailedException naming the column, both types, the file, and the remedy
   */
  public void requireReadable(Configuration job) throws ReadFailedException {
    for (FileColumn column : read(job)) {
      Optional<String> objection = column.objection();
      if (objection.isPresent()) {
        throw new ReadFailedException(
            "cannot read "
                + file
                + ": "
                + objection.get()
                + ", and the stored type cannot be converted. If the table has changed since the"
                + " statement was compiled, run or prepare the statement again. Otherwise,"
                + " rewrite the old files with the table's type, or leave the column out of the"
                + " query");
      }
    }
  }

  private List<FileColumn> read(Configuration job) {
    if (ColumnProjectionUtils.isReadAllColumns(job)) {
      return columns;
    }
    List<FileColumn> read = new ArrayList<>();
    for (int position : new TreeSet<>(ColumnProjectionUtils.getReadColumnIDs(job))) {
      if (position < columns.size()) {
        read.add(columns.get(position));
      }
    }
    return read;
  }

  /**
   * The types for Hive's row reader, in the form of {@code columns.types}; {@link #toRows} converts
   * its rows to the table's.
   */
  public String readTypes() {
    List<String> types = new ArrayList<>();
    for (int i = 0; i < tableTypes.size(); i++) {
      TypeInfo type = i < columns.size() ? columns.get(i).readType() : tableTypes.get(i);
      types.add(type.getTypeName());
    }
    return String.join(":", types);
  }

  /**
   * Converts rows read as {@link #readTypes} with whole structs, in place, into the table's rows,
   * with the struct fields that {@code job} projects.
   */
  public Consumer<ArrayWritable> toRows(Configuration job) {
    Set<String> paths = ColumnProjectionUtils.getNestedColumnPaths(job);
    List<Conversion> conversions = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      FileColumn column = columns.get(i);
      Conversion whole = column.conversion();
      Conversion read =
          NestedProjection.of(tableTypes.get(i), NestedProjection.below(column.name(), paths));
      conversions.add(read == Conversion.NONE ? whole : v -> read.apply(whole.apply(v)));
    }
    return row -> {
      Writable[] values = row.get();
      for (int i = 0; i < values.length && i < conversions.size(); i++) {
        values[i] = conversions.get(i).applyToNullable(values[i]);
      }
    };
  }

  /** Corrects floats in a batch of Hive's vectorised reader. */
  public void widenFloats(VectorizedRowBatch batch) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnVector vector = batch.cols[i];
      if (vector != null && columns.get(i).isWidenedFloat()) {
        widen((DoubleColumnVector) vector, batch.size);
      }
    }
  }

  private static void widen(DoubleColumnVector vector, int size) {
    int values = vector.isRepeating ? Math.min(size, 1) : size;
    for (int i = 0; i < values; i++) {
      if (vector.noNulls || !vector.isNull[i]) {
        vector.vector[i] = PrimitiveConversions.widened((float) vector.vector[i]);
      }
    }
  }
}
