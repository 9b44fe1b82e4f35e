// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.question;
import static io.hudiskip.conformance.Expressions.ranges;
import static io.hudiskip.index.storage.LocalIndex.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.expression.BloomFilters;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Value sets and Bloom filters of the index: file 0 has the values 10 and 20, file 1 has 15. */
class ContentTest {
  @TempDir Path table;
  private IndexWriter writer;

  @BeforeEach
  void newIndex() throws Exception {
    writer = new IndexWriter(table);
  }

  private static List<IndexRow> rows() {
    return new ArrayList<>(
        Arrays.asList(IndexRow.of("a", "", "f0", 10, 20), IndexRow.of("a", "", "f1", 10, 20)));
  }

  private static List<IndexRow> withValues() {
    List<IndexRow> rows = rows();
    rows.get(0).values(encodeInteger(10), encodeInteger(20));
    rows.get(1).values(encodeInteger(15));
    return rows;
  }

  private static List<IndexRow> withFilters() {
    List<IndexRow> rows = rows();
    rows.get(0).bloom(filter(10, 20));
    rows.get(1).bloom(filter(15));
    return rows;
  }

  private static byte[] filter(long... values) {
    List<byte[]> encoded = new ArrayList<>();
    Arrays.stream(values).forEach(value -> encoded.add(encodeInteger(value)));
    return BloomFilters.bytes(encoded, 0.0001);
  }

  private BitSet kept(List<ExpressionNode> nodes) throws Exception {
    List<BaseFile> listing = Arrays.asList(new BaseFile("f0", 100), new BaseFile("f1", 100));
    HudiExpression expression = expression(nodes);
    StatisticsIndex index = LocalIndex.open(table, new IndexCache(1 << 20));
    BitSet kept = LocalIndex.kept(index, expression, listing);
    assertThat(LocalIndex.explained(index, expression, listing))
        .as("files kept by the explanation of %s", expression)
        .isEqualTo(kept.cardinality());
    return kept;
  }

  private static List<ExpressionNode> leafOn(ExpressionOperator operator, long... values) {
    return leaf(
        operator,
        "a",
        "int",
        Arrays.stream(values).mapToObj(v -> encodeInteger(v)).toArray(byte[][]::new));
  }

  private void publish(ObjectNode... dataFiles) throws Exception {
    writer.publish(IndexWriter.manifest(1, dataFiles));
  }

  @Test
  void valueSetsDecideEqualityAndMembership() throws Exception {
    publish(writer.dataFile(1000, withValues()));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 15))).isEqualTo(only(1));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 20))).isEqualTo(only(0));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 11))).isEqualTo(only());
    assertThat(kept(leafOn(ExpressionOperator.IN, 11, 15))).isEqualTo(only(1));
    assertThat(kept(leafOn(ExpressionOperator.NOT_IN, 10, 20))).isEqualTo(only(1));
    byte[] included = {15};
    assertThat(kept(ranges("a", "int", included, encodeInteger(11), encodeInteger(16))))
        .isEqualTo(only(1));
  }

  @Test
  void bloomFiltersDecideEqualityAndMembership() throws Exception {
    publish(writer.dataFile(1000, withFilters()));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 15))).isEqualTo(only(1));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 20))).isEqualTo(only(0));
    assertThat(kept(leafOn(ExpressionOperator.IN, 11, 12))).isEqualTo(only());
    assertThat(kept(leafOn(ExpressionOperator.NOT_IN, 10, 20))).isEqualTo(only(0, 1));
    byte[] point = {15};
    assertThat(kept(ranges("a", "int", point, encodeInteger(15), encodeInteger(15))))
        .isEqualTo(only(1));
  }

  @Test
  void aKindOfAnotherJarDecidesItsQuestions() throws Exception {
    List<IndexRow> rows = rows();
    rows.add(IndexRow.octets("a", "int", "f0", 10, 20));
    rows.add(IndexRow.octets("a", "int", "f1", 15));
    publish(writer.dataFile(1000, rows));
    assertThat(kept(question("octets", new byte[] {20, 21}, "a", "int"))).isEqualTo(only(0));
    assertThat(kept(question("octets", new byte[] {21}, "a", "int"))).isEqualTo(only());
    assertThat(kept(question("failing", new byte[] {21}, "a", "int"))).isEqualTo(only(0, 1));
    assertThat(kept(question("of the future", new byte[] {21}, "a", "int"))).isEqualTo(only(0, 1));
  }

  @Test
  void aRecordOverSeveralColumnsIsFoundBetweenTheirRanges() throws Exception {
    List<IndexRow> rows = rows();
    for (String file : new String[] {"f0", "f1"}) {
      rows.add(IndexRow.of("b", "", file, 1, 2));
    }
    String together = "struct<a:int,b:int>";
    rows.add(IndexRow.octets("a,b", together, "f0", 10));
    rows.add(IndexRow.octets("a,b", together, "f1", 15));
    publish(writer.dataFile(1000, rows));
    byte[] asked = {15};
    assertThat(kept(question("octets", asked, "a", "int", "b", "int"))).isEqualTo(only(1));
    assertThat(kept(question("octets", asked, "b", "int", "a", "int"))).isEqualTo(only(0, 1));
    assertThat(kept(question("octets", asked, "a", "bigint", "b", "int")))
        .as("of files with narrower columns than the table has")
        .isEqualTo(only(0, 1));
    assertThat(kept(question("octets", asked, "a", "int", "c", "int"))).isEqualTo(only(0, 1));
  }

  @Test
  void aSetOfALongValueIsReadWhole() throws Exception {
    byte[] text = new byte[300];
    Arrays.fill(text, (byte) 'x');
    IndexRow row = IndexRow.of("a", "", "f0", 0, 0).type("string").values(text);
    row.lower = new byte[] {'a'};
    row.upper = new byte[] {'z'};
    publish(writer.dataFile(1000, Arrays.asList(row)));
    assertThat(kept(leaf(ExpressionOperator.EQ, "a", "string", text)).get(0))
        .as("a file with the value is kept")
        .isTrue();
    assertThat(kept(leaf(ExpressionOperator.EQ, "a", "string", Arrays.copyOf(text, 299))).get(0))
        .as("a file with a longer value only is kept")
        .isFalse();
  }

  @Test
  void malformedContentsAnswerNothing() throws Exception {
    List<IndexRow> rows = rows();
    rows.get(0).values = new byte[] {9, 1};
    rows.get(1).values = new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7F};
    rows.forEach(row -> row.bloom(new byte[] {1, 2, 3}));
    publish(writer.dataFile(1000, rows));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 15))).isEqualTo(only(0, 1));
  }

  @Test
  void contentsOfAnotherTypeThanTheBoundsAnswerNothing() throws Exception {
    ObjectNode contents = writer.dataFile(1000, withTypes(withValues(), "bigint"));
    ObjectNode bounds = writer.dataFile(1000, rows());
    publish(contents, bounds);
    assertThat(kept(leafOn(ExpressionOperator.EQ, 15))).isEqualTo(only(0, 1));
  }

  private static List<IndexRow> withTypes(List<IndexRow> rows, String type) {
    rows.forEach(row -> row.type(type));
    return rows;
  }

  @Test
  void theLastDataFilesContentCountsIfItsSizeAgrees() throws Exception {
    ObjectNode base = writer.dataFile(1000, withValues());
    IndexRow other = IndexRow.of("a", "", "f0", 10, 20).values(encodeInteger(11));
    publish(base, writer.dataFile(1000, Arrays.asList(other)));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 20))).isEqualTo(only());
    assertThat(kept(leafOn(ExpressionOperator.EQ, 11))).isEqualTo(only(0));
    publish(base, writer.dataFile(1000, Arrays.asList(other.fileSize(99))));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 20)))
        .as("of another size: neither its row nor the one it replaces counts")
        .isEqualTo(only(0));
    assertThat(kept(leafOn(ExpressionOperator.EQ, 12))).isEqualTo(only(0));
  }
}
