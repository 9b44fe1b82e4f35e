/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import io.hudiskip.evolution.FileColumns;
import io.hudiskip.evolution.RowConversion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hudi.avro.AvroSchemaUtils;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.avro.AvroWriteSupport;

/**
 * Turns records into the rows that Hive's Parquet reader would return: the columns of the Hive
 * table, those that a query reads, of structs the fields that it reads.
 */
public final class RecordRows {
  private final Schema schema;
  private final Schema.Field[] columns;
  private final RowConversion conversion;
  private final AvroWritables writables;
  private final Map<Schema, Boolean> needsRewriting = new HashMap<>();

  private RecordRows(
      Schema schema, Schema.Field[] columns, RowConversion conversion, AvroWritables writables) {
    this.schema = schema;
    this.columns = columns;
    this.conversion = conversion;
    this.writables = writables;
  }

  /**
   * The rows of a job.
   *
   * @param job names and types of the columns, and which of them are read
   * @param table current schema of the Hudi table
   * @param also a field that is read beside those of the query; it is in no row
   * @param shown the file that an error names
   * @throws IOException when a column cannot be read in the type that Hive has for it
   */
  public static RecordRows of(Configuration job, Schema table, String also, Path shown)
      throws IOException {
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> read = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    Map<String, Schema.Field> fields = new HashMap<>();
    table.getFields().forEach(f -> fields.put(f.name().toLowerCase(Locale.ROOT), f));
    Schema.Field[] columns = new Schema.Field[names.size()];
    List<Schema.Field> requested = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      if (all || read.contains(i)) {
        columns[i] = fields.get(names.get(i).toLowerCase(Locale.ROOT));
        if (columns[i] != null) {
          requested.add(columns[i]);
        }
      }
    }
    if (requested.stream().noneMatch(field -> field.name().equals(also))) {
      requested.add(table.getField(also));
    }
    Schema schema =
        AvroSchemaUtils.createNewSchemaFromFieldsWithReference(table, copies(requested));
    Configuration own = new Configuration(false);
    own.setBoolean(AvroWriteSupport.WRITE_OLD_LIST_STRUCTURE, false);
    FileColumns stored = FileColumns.of(job, shown, new AvroSchemaConverter(own).convert(schema));
    stored.requireReadable(job);
    return new RecordRows(schema, columns, stored.toRows(job), new AvroWritables(job));
  }

  /** Avro allows a field in one schema alone. */
  private static List<Schema.Field> copies(List<Schema.Field> fields) {
    List<Schema.Field> copies = new ArrayList<>();
    for (Schema.Field field : fields) {
      copies.add(new Schema.Field(field.name(), field.schema(), field.doc(), field.defaultVal()));
    }
    return copies;
  }

  /** The fields that records have to have. */
  public Schema schema() {
    return schema;
  }

  /** Number of columns of a row. */
  public int width() {
    return columns.length;
  }

  /** The value of a field of a record as text, null for NULL. */
  public static String text(IndexedRecord record, String field) {
    Object value = record.get(record.getSchema().getField(field).pos());
    return value == null ? null : value.toString();
  }

  /** Puts a record into a row. */
  public void fill(ArrayWritable row, IndexedRecord record) {
    IndexedRecord typed =
        needsRewriting.computeIfAbsent(
                record.getSchema(), own -> !Promotions.storedSchema(own, schema).equals(schema))
            ? Promotions.promoted(record, schema)
            : record;
    Writable[] values = new Writable[columns.length];
    for (int i = 0; i < values.length; i++) {
      if (columns[i] != null) {
        Schema.Field field = typed.getSchema().getField(columns[i].name());
        values[i] = field == null ? null : writables.of(field.schema(), typed.get(field.pos()));
      }
    }
    row.set(values);
    conversion.apply(row);
  }
}
