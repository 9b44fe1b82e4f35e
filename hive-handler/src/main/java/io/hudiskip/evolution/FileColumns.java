/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * The columns of a table in one of its files, which may be older than the table's schema. Hive's
 * readers are told the table's types; given a file of other types they answer with NULL, with
 * numbers cut to 32 bits, or with an error that names neither the column nor the file.
 */
public final class FileColumns {
  private final Path file;

  /** By position in the table; the virtual columns that may follow are not among them. */
  private final List<FileColumn> columns;

  private final List<TypeInfo> tableTypes;

  private FileColumns(Path file, List<FileColumn> columns, List<TypeInfo> tableTypes) {
    this.file = file;
    this.columns = columns;
    this.tableTypes = tableTypes;
  }

  /**
   * Compares a file with its table.
   *
   * @param job names and types of the table's columns, as Hive's readers take them
   * @param schema of the file
   */
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

  /** Whether the file has every column in the table's type, or not at all. */
  public boolean arePlain() {
    return columns.stream().allMatch(FileColumn::isPlain);
  }

  /** Whether Hive's vectorised reader reads rightly what is read, given {@link #widenFloats}. */
  public boolean areVectorizable(Configuration job) {
    Set<String> paths = ColumnProjectionUtils.getNestedColumnPaths(job);
    return read(job).stream().allMatch(column -> column.isVectorizable(paths))
        && columns.stream().noneMatch(FileColumn::isInTheWay);
  }

  /**
   * Makes sure that what is read can be read.
   *
   * @param job tells which columns are read
   * @throws IOException naming the column, its two types, the file, and what to do
   */
  public void requireReadable(Configuration job) throws IOException {
    for (FileColumn column : read(job)) {
      Optional<String> objection = column.objection();
      if (objection.isPresent()) {
        throw new IOException(
            "cannot read "
                + file
                + ": "
                + objection.get()
                + ", and the one cannot be taken for the other. If the table has changed since the"
                + " statement was compiled, run or prepare it again; else rewrite the old files in"
                + " the table's type, or leave the column out of the query");
      }
    }
  }

  /** The columns that are read. */
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
   * The types as which Hive's row reader has to read the file, in the form of {@code
   * columns.types}; {@link #toRows} turns its rows into the table's.
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
   * What turns rows of the file, read by {@link #readTypes} with whole structs, into the table's.
   *
   * @param job tells which fields of structs Hive expects in them
   */
  public RowConversion toRows(Configuration job) {
    Set<String> paths = ColumnProjectionUtils.getNestedColumnPaths(job);
    List<Conversion> conversions = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      FileColumn column = columns.get(i);
      Conversion whole = column.conversion();
      Conversion read =
          NestedProjection.of(tableTypes.get(i), NestedProjection.below(column.name(), paths));
      conversions.add(read == Conversion.NONE ? whole : v -> read.apply(whole.apply(v)));
    }
    return new RowConversion(Collections.unmodifiableList(conversions));
  }

  /** Completes a batch of Hive's vectorised reader. */
  public void widenFloats(VectorizedRowBatch batch) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnVector vector = batch.cols[i];
      if (vector != null && columns.get(i).isTextOfFloat()) {
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
