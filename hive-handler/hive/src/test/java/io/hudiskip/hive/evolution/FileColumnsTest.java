// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
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
  void readsAFloatAsTheDoubleOfTheSameText() {
    assertThat(converted("float", "double", new FloatWritable(1.1f))).isEqualTo("1.1");
    assertThat(converted("float", "double", new FloatWritable(Float.NaN))).isEqualTo("NaN");
    assertThat(converted("float", "double", new FloatWritable(-0.0f))).isEqualTo("-0.0");
    VectorizedRowBatch batch = new VectorizedRowBatch(1);
    DoubleColumnVector vector = new DoubleColumnVector();
    vector.noNulls = false;
    vector.isNull[1] = true;
    vector.vector[0] = 1.1f;
    vector.vector[1] = Double.NaN;
    vector.vector[2] = 0.1f;
    batch.cols[0] = vector;
    batch.size = 2;
    columns("float", "double").widenFloats(batch);
    assertThat(vector.vector).startsWith(1.1, Double.NaN, 0.1f);
  }

  @Test
  void roundsADecimalAndRefusesOneThatDoesNotFit() {
    String stored = "int64 c (DECIMAL(10, 3))";
    assertThat(converted(stored, "decimal(11,3)", decimal("1.25"))).isEqualTo("1.25");
    assertThat(converted(stored, "decimal(10,2)", decimal("1.255"))).isEqualTo("1.26");
    assertThat(converted(stored, "decimal(10,4)", decimal("123456.25"))).isEqualTo("123456.25");
    assertThatThrownBy(() -> converted(stored, "decimal(10,4)", decimal("1234567.25")))
        .hasMessageContaining("1234567.25")
        .hasMessageContaining("decimal(10,4)")
        .hasMessageContaining("rewrite the old files");
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
  void matchesFieldsOfStructsByNameAtAnyDepth() {
    FileColumns columns =
        columns(
            "group c (MAP) { repeated group key_value { required binary key (UTF8);"
                + " optional group value (LIST) { repeated group list { optional group element"
                + " { optional binary a (UTF8); optional int32 B; optional int32 gone; } } } } }",
            "map<string,array<struct<new:int,b:bigint,a:string>>>");
    assertThat(columns.readTypes()).isEqualTo("map<string,array<struct<a:string,b:int,gone:int>>>");
    ArrayWritable row =
        array(
            array(
                array(
                    new Text("k"),
                    array(array(new Text("x"), new IntWritable(1), new IntWritable(2)), null))));
    columns.toRows(all()).accept(row);
    ArrayWritable entry = (ArrayWritable) ((ArrayWritable) row.get()[0]).get()[0];
    ArrayWritable list = (ArrayWritable) entry.get()[1];
    assertThat(((ArrayWritable) list.get()[0]).get())
        .containsExactly(null, new LongWritable(1), new Text("x"));
    assertThat(list.get()[1]).isNull();
  }

  @Test
  void widensAFloatWithinAStructBitByBit() {
    FileColumns columns = columns("group c { optional float a; }", "struct<a:double>");
    ArrayWritable row = array(array(new FloatWritable(1.1f)));
    columns.toRows(all()).accept(row);
    assertThat(((ArrayWritable) row.get()[0]).get()).containsExactly(new DoubleWritable(1.1f));
  }

  @Test
  void hasOnlyTheFieldsThatAreRead() {
    FileColumns columns =
        columns(
            "group c { optional int32 b; optional group s { optional int32 y;"
                + " optional int32 x; } optional int32 a; }",
            "struct<a:bigint,s:struct<x:int,y:int>,b:int>");
    ArrayWritable row =
        array(
            array(
                new IntWritable(1),
                array(new IntWritable(2), new IntWritable(3)),
                new IntWritable(4)));
    columns.toRows(nested("c.s.y", "C.a")).accept(row);
    Writable[] struct = ((ArrayWritable) row.get()[0]).get();
    assertThat(struct).hasSize(2).startsWith(new LongWritable(4));
    assertThat(((ArrayWritable) struct[1]).get()).containsExactly(new IntWritable(2));
  }

  @Test
  void refusesAStructWithAFieldThatCannotBeRead() {
    FileColumns columns = columns("group c { optional int64 a; }", "struct<a:int>");
    assertThatThrownBy(() -> columns.requireReadable(all()))
        .hasMessageContaining("c is struct<a:bigint> in the file and struct<a:int> in the table");
  }

  private static String converted(String stored, String table, Writable value) {
    ArrayWritable row = array(value);
    columns(stored, table).toRows(all()).accept(row);
    return String.valueOf(row.get()[0]).trim();
  }

  private static ArrayWritable array(Writable... values) {
    return new ArrayWritable(Writable.class, values);
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

  private static Writable decimal(String text) {
    return new HiveDecimalWritable(HiveDecimal.create(text));
  }

  private static Configuration reading(Integer... columns) {
    Configuration job = new Configuration(false);
    ColumnProjectionUtils.setReadColumns(job, Arrays.asList(columns));
    return job;
  }
}
