// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.Connective;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.NullTestLeaf;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchingRowsTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message rows { optional int32 number; optional int64 big; optional int32 day (DATE);"
              + " optional int64 moment (TIMESTAMP(MICROS,true)); optional binary text (STRING);"
              + " optional boolean flag; }");

  private static final long FIRST_DAY = -141_428; // 1582-10-14, before which calendars differ
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private static final Map<String, ReadColumn> COLUMNS = new LinkedHashMap<>();

  static {
    String[] types = {"int", "bigint", "date", "timestamp", "string", "boolean"};
    for (int i = 0; i < types.length; i++) {
      String name = SCHEMA.getFieldName(i);
      COLUMNS.put(name, new ReadColumn(name, HiveType.parse(types[i]).get()));
    }
  }

  @TempDir Path folder;

  /** A row is found by brute force on the values that were written. */
  @Test
  void everyMatchingRowIsInARangeWhateverThePages() throws IOException {
    Random random = new Random(7);
    long skipped = 0;
    for (int file = 0; file < 40; file++) {
      List<Map<String, byte[]>> rows = rows(random, 50 + random.nextInt(2_000));
      ParquetMetadata footer =
          write("file" + file, rows, 1 + random.nextInt(100), 1_000 + random.nextInt(60_000));
      for (int i = 0; i < 50; i++) {
        List<Node> nodes = new ArrayList<>();
        IntPredicate isTrue = draw(random, rows, nodes, 2);
        HudiExpression expression = new HudiExpression(new byte[0], nodes);
        MatchingRows found = find("file" + file, footer, expression, Collections.emptySet()).get();
        long[] read = read(found);
        long[] matching = IntStream.range(0, rows.size()).filter(isTrue).asLongStream().toArray();
        Set<Long> kept = Arrays.stream(read).boxed().collect(Collectors.toSet());
        assertThat(Arrays.stream(matching).filter(row -> !kept.contains(row)))
            .as("rows of file %d that are lost for %s", file, expression)
            .isEmpty();
        assertThat(found.matching()).isEqualTo(read.length);
        skipped += found.skipped();
      }
    }
    assertThat(skipped).as("control: rows of 40 files and 50 expressions").isGreaterThan(100_000);
  }

  @Test
  void aColumnIndexThatContradictsItsChunkProvesNothing() throws IOException {
    List<Map<String, byte[]>> rows = ascending(1_000);
    ParquetMetadata footer = write("true", rows, 100, Integer.MAX_VALUE);
    HudiExpression last = equal("big", 999);
    assertThat(find("true", footer, last, Collections.emptySet()).get().matching()).isEqualTo(100);
    overwriteUpperBound("true", footer, 999, 950);
    assertThat(find("true", footer, last, Collections.emptySet()).get().matching())
        .as("no page has the chunk's maximum")
        .isEqualTo(1_000);
  }

  @Test
  void aColumnWhoseValuesAreElsewhereKeepsItsPages() throws IOException {
    ParquetMetadata footer = write("path", ascending(1_000), 100, Integer.MAX_VALUE);
    HudiExpression one = equal("big", 5);
    assertThat(find("path", footer, one, Collections.singleton("big"))).isEmpty();
    assertThat(find("path", footer, one, Collections.emptySet()).get().skipped()).isEqualTo(900);
  }

  @Test
  void onlyParquetMrIsTrusted() throws IOException {
    ParquetMetadata footer = write("own", ascending(1_000), 100, Integer.MAX_VALUE);
    for (String writer :
        new String[] {
          "parquet-mr version 1.10.1 (build x)", "parquet-rs version 57.0.0", "", null
        }) {
      ParquetMetadata other =
          new ParquetMetadata(
              new org.apache.parquet.hadoop.metadata.FileMetaData(
                  SCHEMA, Collections.emptyMap(), writer),
              footer.getBlocks());
      assertThat(find("own", other, equal("big", 5), Collections.emptySet()))
          .as("written by %s", writer)
          .isEmpty();
    }
  }

  private static HudiExpression equal(String column, long value) {
    return new HudiExpression(
        new byte[0],
        Collections.singletonList(
            new ValueLeaf(
                Operator.EQ,
                COLUMNS.get(column),
                Collections.singletonList(ValueRange.of(ValueEncoding.encodeInteger(value))))));
  }

  private static List<Map<String, byte[]>> ascending(int count) {
    List<Map<String, byte[]>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Collections.singletonMap("big", ValueEncoding.encodeInteger(i)));
    }
    return rows;
  }

  /** Encoded values by column, without NULLs. */
  private static List<Map<String, byte[]>> rows(Random random, int count) {
    List<Map<String, byte[]>> rows = new ArrayList<>();
    int nulls = random.nextInt(4);
    int spread = 1 + random.nextInt(300);
    for (int i = 0; i < count; i++) {
      Map<String, byte[]> row = new LinkedHashMap<>();
      for (String column : COLUMNS.keySet()) {
        boolean isNull = nulls == 3 ? i < count / 2 : nulls > 0 && random.nextInt(10) < nulls;
        if (!isNull) {
          row.put(column, value(column, i + random.nextInt(spread)));
        }
      }
      rows.add(row);
    }
    return rows;
  }

  private static byte[] value(String column, int step) {
    switch (column) {
      case "day":
        return ValueEncoding.encodeDate(FIRST_DAY + 400 + step / 10);
      case "moment":
        return ValueEncoding.encodeTimestamp((FIRST_DAY + 400) * MICROS_PER_DAY + step * 1_000L);
      case "text": // longer than the 64 bytes that Parquet keeps of a bound, and beyond U+FFFF
        return ValueEncoding.encodeString(
            String.join("", Collections.nCopies(step % 40, "é\uD83D\uDE00")) + step);
      case "flag":
        return ValueEncoding.encodeBoolean(step % 500 > 250);
      default:
        return ValueEncoding.encodeInteger(step - 300L);
    }
  }

  /** Draws a tree of leaves, and what it means. */
  private static IntPredicate draw(
      Random random, List<Map<String, byte[]>> rows, List<Node> nodes, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      boolean isAnd = random.nextBoolean();
      IntPredicate one = draw(random, rows, nodes, depth - 1);
      IntPredicate other = draw(random, rows, nodes, depth - 1);
      nodes.add(new Connective(isAnd ? Operator.AND : Operator.OR, 2));
      return isAnd ? one.and(other) : one.or(other);
    }
    List<String> names = new ArrayList<>(COLUMNS.keySet());
    String name = names.get(random.nextInt(names.size()));
    ReadColumn column = COLUMNS.get(name);
    if (random.nextInt(5) == 0) {
      boolean isNull = random.nextBoolean();
      nodes.add(new NullTestLeaf(isNull ? Operator.IS_NULL : Operator.IS_NOT_NULL, column));
      return row -> rows.get(row).containsKey(name) != isNull;
    }
    byte[] low = value(name, random.nextInt(rows.size() + 300));
    if (random.nextInt(4) == 0) {
      nodes.add(new ValueLeaf(Operator.NE, column, Collections.singletonList(ValueRange.of(low))));
      return row -> rows.get(row).containsKey(name) && compare(rows, row, name, low) != 0;
    }
    byte[] other = value(name, random.nextInt(rows.size() + 300));
    byte[] high = random.nextBoolean() || EncodedOrder.compare(low, other) > 0 ? low : other;
    nodes.add(
        new ValueLeaf(
            Operator.RANGES,
            column,
            Collections.singletonList(new ValueRange(low, true, high, true))));
    return row ->
        rows.get(row).containsKey(name)
            && compare(rows, row, name, low) >= 0
            && compare(rows, row, name, high) <= 0;
  }

  private static int compare(List<Map<String, byte[]>> rows, int row, String column, byte[] value) {
    return EncodedOrder.compare(rows.get(row).get(column), value);
  }

  private ParquetMetadata write(
      String name, List<Map<String, byte[]>> rows, int pageRows, int rowGroupBytes)
      throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path(name))
            .withType(SCHEMA)
            .withPageRowCountLimit(pageRows)
            .withRowGroupSize((long) rowGroupBytes)
            .withMinRowCountForPageSizeCheck(10)
            .build()) {
      SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
      for (Map<String, byte[]> row : rows) {
        Group group = groups.newGroup();
        row.forEach((column, value) -> add(group, column, value));
        writer.write(group);
      }
    }
    return ParquetFileReader.readFooter(new Configuration(), path(name));
  }

  private static void add(Group group, String column, byte[] value) {
    switch (column) {
      case "number":
      case "day":
        group.add(column, (int) ValueEncoding.decodeInteger(value));
        break;
      case "text":
        group.add(column, ValueEncoding.decodeString(value));
        break;
      case "flag":
        group.add(column, ValueEncoding.decodeBoolean(value));
        break;
      default:
        group.add(column, ValueEncoding.decodeInteger(value));
    }
  }

  private Optional<MatchingRows> find(
      String name, ParquetMetadata footer, HudiExpression expression, Set<String> elsewhere)
      throws IOException {
    FileSplit whole = new FileSplit(path(name), 0, Long.MAX_VALUE, new String[0]);
    return MatchingRows.of(whole, new Configuration(), footer, expression, elsewhere);
  }

  /** Positions in the file of the rows that are read. */
  private static long[] read(MatchingRows found) {
    List<Long> read = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < found.rowGroups().size(); i++) {
      long start = before;
      found.ofRowGroup(i).iterator().forEachRemaining((long row) -> read.add(start + row));
      before += found.rowGroups().get(i).getRowCount();
    }
    return read.stream().mapToLong(Long::longValue).toArray();
  }

  /** Changes the upper bound of one page of {@code big} in place. */
  private void overwriteUpperBound(String name, ParquetMetadata footer, long from, long to)
      throws IOException {
    BlockMetaData group = footer.getBlocks().get(0);
    ColumnIndex index;
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(
                path(name), new Configuration()))) {
      index = reader.readColumnIndex(group.getColumns().get(1));
    }
    assertThat(index.getMaxValues()).contains(littleEndian(from));
    try (RandomAccessFile file =
        new RandomAccessFile(new File(path(name).toUri().getPath()), "rw")) {
      long start = group.getColumns().get(1).getColumnIndexReference().getOffset();
      byte[] bytes = new byte[group.getColumns().get(1).getColumnIndexReference().getLength()];
      file.seek(start);
      file.readFully(bytes);
      int at = lastIndexOf(bytes, littleEndian(from).array());
      file.seek(start + at);
      file.write(littleEndian(to).array());
    }
    Files.delete(folder.resolve("." + name + ".parquet.crc"));
  }

  private static int lastIndexOf(byte[] bytes, byte[] wanted) {
    for (int at = bytes.length - wanted.length; ; at--) {
      if (Arrays.equals(Arrays.copyOfRange(bytes, at, at + wanted.length), wanted)) {
        return at;
      }
    }
  }

  private static ByteBuffer littleEndian(long value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(value).flip();
    return bytes;
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.toUri().toString(), name + ".parquet");
  }
}
