// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code tests/e2e/operations/test_schema_changes.py} compares values of real files with Spark's.
 */
class FileColumnsTest {
  private static final Path FILE = new Path("/lake/t/a.parquet");

  @ParameterizedTest
  @CsvSource({
    "int32,             int,           true",
    "int32 c (INT_8),   int,           true",
    "int32,             bigint,        true",
    "int32,             double,        true",
    "int32,             string,        true",
    "int64,             float,         true",
    "double,            string,        true",
    "float,             double,        true",
    "binary c (UTF8),   varchar(3),    true",
    "int32,             varchar(3),    false",
    "binary,            string,        false",
    "binary c (UTF8),   binary,        false",
    "'int32 c (DECIMAL(5, 2))', 'decimal(5,2)', true",
    "'int32 c (DECIMAL(5, 2))', 'decimal(6,2)', false",
  })
  void readsWhatHudiWidens(String stored, String table, boolean vectorized) {
    FileColumns columns = columns(stored, table);
    assertThatCode(() -> columns.requireReadable(all())).doesNotThrowAnyException();
    assertThat(columns.areVectorizable(all())).isEqualTo(vectorized);
  }

  @ParameterizedTest
  @CsvSource({
    "int64,                              int",
    "double,                             float",
    "double,                             bigint",
    "float,                              int",
    "binary c (UTF8),                    int",
    "int32 c (DATE),                     int",
    "int32,                              date",
    "int64,                              timestamp",
    "'int64 c (TIMESTAMP(MICROS, true))', bigint",
    "'int64 c (TIMESTAMP(MICROS, true))', string",
    "'int32 c (DECIMAL(5, 2))',          int",
    "boolean,                            string",
    "int32 c (UINT_32),                  int",
    "int32 c (TIME_MILLIS),              int",
    "int32,                              array<int>",
    "int32,                              struct<a:int>",
  })
  void refusesTypesThatWouldBeMisread(String stored, String table) {
    assertThatThrownBy(() -> columns(stored, table).requireReadable(all()))
        .isInstanceOf(IOException.class)
        .hasNoCause()
        .hasMessageContaining("cannot read " + FILE + ": column c is ")
        .hasMessageContaining(" in the file and " + table + " in the table")
        .hasMessageContaining("rewrite the old files");
  }

  @Test
  void checksOnlyColumnsThatAreRead() {
    FileColumns columns = columns("int64", "int");
    assertThatCode(() -> columns.requireReadable(reading())).doesNotThrowAnyException();
    assertThat(columns.areVectorizable(reading())).isTrue();
    assertThat(columns.arePlain()).as("a row-group filter would still see it").isFalse();
    assertThat(columns("int32", "struct<a:int>").areVectorizable(reading()))
        .as("Hive's vectorised reader treats the column as a struct, read or not")
        .isFalse();
  }

  @Test
  void namesOnlyTheColumnThatIsRead() {
    FileColumns columns =
        FileColumns.of(
            table("a,b,c", "int:int:int"),
            FILE,
            schema("int64 a; optional int32 b; optional double c"));
    assertThatCode(() -> columns.requireReadable(reading(1))).doesNotThrowAnyException();
    assertThatThrownBy(() -> columns.requireReadable(reading(1, 2)))
        .hasMessageContaining("column c is double");
  }

  @Test
  void aFileWithoutTheColumnIsPlain() {
    FileColumns columns = FileColumns.of(table("gone", "bigint"), FILE, schema("int32 c"));
    assertThat(columns.arePlain()).isTrue();
    assertThat(columns.areVectorizable(all())).isTrue();
    assertThat(
            FileColumns.of(table("gone", "struct<a:int>"), FILE, schema("int32 c"))
                .areVectorizable(all()))
        .as("Hive's vectorised reader fails on what it takes for a struct")
        .isFalse();
  }

  @Test
  void takesColumnsByPositionWhereHiveDoes() {
    Configuration job = table("other", "string");
    job.setBoolean("parquet.column.index.access", true);
    assertThat(FileColumns.of(job, FILE, schema("int32 c")).readTypes()).isEqualTo("int");
  }

  @Test
  void leavesOnlyFieldsOfStructsAndNoListOrMapToHive() {
    String type = "struct<a:int,s:struct<x:int,y:string>>";
    FileColumns columns =
        columns(
            "group c { optional int32 a; optional group s { optional int32 x;"
                + " optional binary y (UTF8); } }",
            type);
    assertThat(columns.areVectorizable(all())).as("all of it").isFalse();
    assertThat(columns.areVectorizable(nested("c.a", "C.s.y"))).isTrue();
    assertThat(columns.areVectorizable(nested("c.a", "c.s"))).as("whether c.s is NULL").isFalse();
    assertThat(columns.areVectorizable(nested("c"))).as("whether c is NULL").isFalse();
    String list = "group c (LIST) { repeated group list { optional int32 element; } }";
    assertThat(columns(list, "array<int>").areVectorizable(all())).as("an empty list").isFalse();
    String within = "group c { optional int32 a; optional " + list.replace(" c ", " l ") + " }";
    assertThat(columns(within, "struct<a:int,l:array<int>>").areVectorizable(nested("c.a")))
        .isFalse();
  }

  @Test
  void convertsNonNumericValues() {
    assertThat(converted("int32", "string", new IntWritable(-7))).isEqualTo("-7");
    assertThat(converted("int32", "varchar(2)", new IntWritable(123))).isEqualTo("12");
    assertThat(converted("int32", "char(2)", new IntWritable(123))).isEqualTo("12");
    assertThat(converted("binary", "string", new BytesWritable(new byte[] {65}))).isEqualTo("A");
    assertThat(converted("binary c (UTF8)", "binary", new Text("A"))).isEqualTo("41");
    assertThat(converted("int32", "string", null)).isEqualTo("null");
  }

  @Test
  void refusesAStructWithAFieldThatCannotBeRead() {
    FileColumns columns = columns("group c { optional int64 a; }", "struct<a:int>");
    assertThatThrownBy(() -> columns.requireReadable(all()))
        .hasMessageContaining("c is struct<a:bigint> in the file and struct<a:int> in the table");
  }

  @Test
  void roundsALongToAFloatOnce() {
    long aboveHalf = (1L << 60) + (1L << 36) + 1; // as a double it is exactly half way
    assertThat(converted("int64", "float", new LongWritable(aboveHalf)))
        .isEqualTo(Float.toString((float) aboveHalf))
        .isNotEqualTo(Float.toString((float) (double) aboveHalf));
  }

  private static String converted(String stored, String table, Writable value) {
    ArrayWritable row = new ArrayWritable(Writable.class, new Writable[] {value});
    columns(stored, table).toRows(all()).accept(row);
    return String.valueOf(row.get()[0]).trim();
  }

  private static FileColumns columns(String stored, String table) {
    return FileColumns.of(
        table("c", table), FILE, schema(stored.contains(" c") ? stored : stored + " c"));
  }

  private static MessageType schema(String field) {
    String end = field.endsWith("}") ? "" : ";";
    return MessageTypeParser.parseMessageType("message m { optional " + field + end + " }");
  }

  private static Configuration table(String name, String type) {
    Configuration job = new Configuration(false);
    job.set("columns", name);
    job.set("columns.types", type);
    return job;
  }

  private static Configuration all() {
    return new Configuration(false);
  }

  private static Configuration nested(String... paths) {
    Configuration job = new Configuration(false);
    ColumnProjectionUtils.appendNestedColumnPaths(job, Arrays.asList(paths));
    return job;
  }

  private static Configuration reading(Integer... columns) {
    Configuration job = new Configuration(false);
    ColumnProjectionUtils.setReadColumns(job, Arrays.asList(columns));
    return job;
  }
}
