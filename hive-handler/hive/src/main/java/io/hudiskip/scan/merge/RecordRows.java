// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import io.hudiskip.scan.evolution.FileColumns;
import io.hudiskip.scan.evolution.TimestampUnits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.avro.AvroWriteSupport;

/**
 * Converts records to the rows that Hive's Parquet reader would return: the Hive table's columns
 * and struct fields that the query reads.
 */
public final class RecordRows {
  private final Schema schema;

  /** {@link #schema} as the rows show it. */
  private final Schema shown;

  private final Schema.Field[] columns;
  private final Consumer<ArrayWritable> conversion;
  private final AvroWritables writables;
  private final Map<Schema, Boolean> needsRewriting = new HashMap<>();

  private RecordRows(
      Schema schema,
      Schema shown,
      Schema.Field[] columns,
      Consumer<ArrayWritable> conversion,
      AvroWritables writables) {
    this.schema = schema;
    this.shown = shown;
    this.columns = columns;
    this.conversion = conversion;
    this.writables = writables;
  }

  /**
   * The rows of a job.
   *
   * @param extra a field to read in addition; it appears in no row
   * @param file the one that errors name
   * @throws IOException when Hive's type for a column cannot be read
   */
  public static RecordRows of(Configuration job, Schema table, String extra, Path file)
      throws IOException {
    List<String> names =
        DataWritableReadSupport.getColumnNames(job.get(serdeConstants.LIST_COLUMNS, ""));
    boolean all = ColumnProjectionUtils.isReadAllColumns(job);
    Set<Integer> read = new HashSet<>(ColumnProjectionUtils.getReadColumnIDs(job));
    Map<String, Schema.Field> fields = new HashMap<>();
    table.getFields().forEach(f -> fields.put(f.name().toLowerCase(Locale.ROOT), f));
    Schema.Field[] columns = new Schema.Field[names.size()];
    Set<String> requested = new LinkedHashSet<>();
    for (int i = 0; i < columns.length; i++) {
      if (all || read.contains(i)) {
        columns[i] = fields.get(names.get(i).toLowerCase(Locale.ROOT));
        if (columns[i] != null) {
          requested.add(columns[i].name());
        }
      }
    }
    requested.add(extra);
    Schema schema = Projections.of(table, new ArrayList<>(requested));
    Schema shown = TimestampUnits.in(job).repaired(schema);
    Configuration own = new Configuration(false);
    own.setBoolean(AvroWriteSupport.WRITE_OLD_LIST_STRUCTURE, false);
    FileColumns stored = FileColumns.of(job, file, new AvroSchemaConverter(own).convert(shown));
    stored.requireReadable(job);
    return new RecordRows(schema, shown, columns, stored.toRows(job), new AvroWritables(job));
  }

  public Schema schema() {
    return schema;
  }

  public int width() {
    return columns.length;
  }

  /** The value of a field as text; null for NULL. */
  public static String text(IndexedRecord record, String field) {
    Object value = record.get(record.getSchema().getField(field).pos());
    return value == null ? null : value.toString();
  }

  public void fill(ArrayWritable row, IndexedRecord record) {
    IndexedRecord typed =
        needsRewriting.computeIfAbsent(
                record.getSchema(), own -> !Promotions.storedSchema(own, schema).equals(schema))
            ? Promotions.promoted(record, schema)
            : record;
    Writable[] values = new Writable[columns.length];
    for (int i = 0; i < values.length; i++) {
      if (columns[i] != null) {
        values[i] = writables.field(shown.getField(columns[i].name()), typed);
      }
    }
    row.set(values);
    conversion.accept(row);
  }
}
