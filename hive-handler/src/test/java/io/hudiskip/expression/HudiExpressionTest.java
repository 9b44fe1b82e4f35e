/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.connective;
import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.message;
import static io.hudiskip.conformance.Expressions.serialize;
import static io.hudiskip.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.encoding.ValueEncoding.encodeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HudiExpressionTest {
  private static final List<ExpressionNode> DISTANCE =
      leaf(ExpressionOperator.GT, "distance", "int", encodeInteger(2000));
  private static final List<ExpressionNode> CARRIER =
      leaf(ExpressionOperator.EQ, "carrier", "string", encodeString("AA"));

  /** Two files: one with distances 1 to 9, one of which nothing is known. */
  private static InMemoryStatistics twoFiles() {
    InMemoryStatistics statistics = new InMemoryStatistics(2);
    statistics.put("distance", 0, distances(1, 9));
    return statistics;
  }

  private static ColumnStatistics distances(long lower, long upper) {
    Optional<HiveType> type = HiveType.parse("int");
    return new ColumnStatistics(type, encodeInteger(lower), encodeInteger(upper), 0, 5, -1);
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    Arrays.stream(set).forEach(bits::set);
    return bits;
  }

  @Test
  void skipsAFileThatCannotMatchAndKeepsOneOfWhichNothingIsKnown() {
    assertThat(expression(DISTANCE).evaluate(twoFiles())).isEqualTo(bits(1));
  }

  @Test
  void keepsAFileThatCanMatch() {
    List<ExpressionNode> small = leaf(ExpressionOperator.GT, "distance", "int", encodeInteger(8));
    assertThat(expression(small).evaluate(twoFiles())).isEqualTo(bits(0, 1));
  }

  @Test
  void neverSkipsEveryFileAndUnknownNone() {
    assertThat(expression(constant(ExpressionOperator.NEVER)).evaluate(twoFiles()))
        .isEqualTo(bits());
    assertThat(expression(constant(ExpressionOperator.UNKNOWN)).evaluate(twoFiles()))
        .isEqualTo(bits(0, 1));
  }

  @Test
  void namesTheColumnsThatItNeedsAndItsFingerprint() {
    HudiExpression both =
        expression(connective(ExpressionOperator.OR, Arrays.asList(DISTANCE, CARRIER)));
    assertThat(both.columns()).containsExactly("carrier", "distance");
    assertThat(both.fingerprint()).containsExactly(1, 2, 3);
  }

  @Test
  void anExpressionForANewerReaderIsRefusedWithWhatToDo() {
    byte[] bytes = serialize(message(DISTANCE).setMinReaderVersion(2));
    assertThatThrownBy(() -> ExpressionDecoder.decode(bytes))
        .isInstanceOf(ExpressionFormatException.class)
        .hasMessageContaining("format version 2")
        .hasMessageContaining("install");
  }

  @Test
  void anExpressionThatSaysNoVersionIsRefused() {
    io.hudiskip.thrift.HudiExpression noFormat = message(DISTANCE);
    noFormat.unsetFormatVersion();
    io.hudiskip.thrift.HudiExpression noReader = message(DISTANCE);
    noReader.unsetMinReaderVersion();
    for (io.hudiskip.thrift.HudiExpression message : Arrays.asList(noFormat, noReader)) {
      assertThatThrownBy(() -> ExpressionDecoder.decode(serialize(message)))
          .isInstanceOf(ExpressionFormatException.class)
          .hasMessageContaining("version");
    }
  }

  @Test
  void aNewerFormatThatThisReaderUnderstandsIsRead() throws ExpressionFormatException {
    byte[] bytes = serialize(message(DISTANCE).setFormatVersion(7));
    assertThat(ExpressionDecoder.decode(bytes).evaluate(twoFiles())).isEqualTo(bits(1));
  }

  @Test
  void anOperatorOfANewerWriterKeepsFilesForItselfAlone() {
    List<ExpressionNode> newer = new ArrayList<>(CARRIER);
    newer.addAll(CARRIER);
    newer.add(new ExpressionNode().setOperator(99).setArity(2));
    HudiExpression and =
        expression(connective(ExpressionOperator.AND, Arrays.asList(newer, DISTANCE)));
    assertThat(and.evaluate(twoFiles())).as("the other child still skips").isEqualTo(bits(1));
    assertThat(and.columns()).as("what stands below it is not read").containsExactly("distance");
    HudiExpression or =
        expression(connective(ExpressionOperator.OR, Arrays.asList(DISTANCE, newer)));
    assertThat(or.evaluate(twoFiles())).isEqualTo(bits(0, 1));
    assertThat(or).hasToString("distance > 2000 or any [operator code 99]");
  }

  @Test
  void leavesWhoseTypeOrValuesAreNotUnderstoodKeepEveryFile() {
    byte[] value = encodeInteger(2000);
    List<List<ExpressionNode>> leaves =
        Arrays.asList(
            leaf(ExpressionOperator.GT, "distance", "int128", value),
            leaf(ExpressionOperator.GT, "distance", "int", new byte[7]),
            leaf(ExpressionOperator.GT, "distance", "int"),
            leaf(ExpressionOperator.GT, "distance", "int", value, encodeInteger(2001)),
            leaf(ExpressionOperator.IN, "distance", "int"),
            leaf(ExpressionOperator.IN, "distance", "int", encodeInteger(2001), value),
            leaf(ExpressionOperator.IN, "distance", "int", value, value),
            leaf(ExpressionOperator.IS_NULL, "distance", "int", value),
            leaf(ExpressionOperator.EQ, "distance", "array<int>", value),
            leaf(ExpressionOperator.GT, "", "int", value),
            Collections.singletonList(
                new ExpressionNode()
                    .setOperator(ExpressionOperator.IS_NULL.getValue())
                    .setColumn("distance")));
    for (List<ExpressionNode> leaf : leaves) {
      assertThat(expression(leaf).evaluate(twoFiles()))
          .as("files kept by %s", leaf)
          .isEqualTo(bits(0, 1));
    }
  }

  @Test
  void aListThatIsNotOneTreeIsRefused() {
    List<ExpressionNode> two = new ArrayList<>(DISTANCE);
    two.addAll(CARRIER);
    List<List<ExpressionNode>> lists =
        Arrays.asList(
            Collections.emptyList(),
            two,
            connective(ExpressionOperator.OR, Collections.emptyList()),
            Collections.singletonList(new ExpressionNode().setOperator(1).setArity(1)),
            Collections.singletonList(new ExpressionNode().setOperator(99).setArity(-1)),
            Arrays.asList(DISTANCE.get(0), new ExpressionNode(CARRIER.get(0)).setArity(1)));
    for (List<ExpressionNode> nodes : lists) {
      assertThatThrownBy(() -> ExpressionDecoder.decode(serialize(message(nodes))))
          .as("nodes %s", nodes)
          .isInstanceOf(ExpressionFormatException.class);
    }
  }

  @Test
  void damagedBytesAreRefusedOrReadButNeverEndInAnotherError() {
    byte[] good =
        serialize(message(connective(ExpressionOperator.AND, Arrays.asList(DISTANCE, CARRIER))));
    Random random = new Random(7);
    int refused = 0;
    int read = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = Arrays.copyOf(good, good.length - random.nextInt(3) / 2 * random.nextInt(9));
      for (int change = 0; change <= random.nextInt(3); change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        HudiExpression expression = ExpressionDecoder.decode(bytes);
        assertThat(expression.evaluate(twoFiles()).length()).isLessThanOrEqualTo(2);
        assertThat(expression.toString()).isNotEmpty();
        read++;
      } catch (ExpressionFormatException e) {
        refused++;
      }
    }
    assertThat(read).as("inputs that could be read").isPositive();
    assertThat(refused).as("refused inputs").isPositive();
  }

  @Test
  void bytesAfterTheEndAreRefused() {
    byte[] good = serialize(message(DISTANCE));
    assertThatThrownBy(() -> ExpressionDecoder.decode(Arrays.copyOf(good, good.length + 1)))
        .isInstanceOf(ExpressionFormatException.class);
  }

  @Test
  void announcedSizesAreNotBelieved() {
    // Field 4, a list; 15 in the size nibble: a varint size of 2^31 - 1 follows; elements are
    // structs.
    byte[] hugeList = {0x49, (byte) 0xFC, -1, -1, -1, -1, 0x07, 0};
    // Field 3, a string of 2^31 - 1 bytes.
    byte[] hugeString = {0x38, -1, -1, -1, -1, 0x07, 0};
    for (byte[] bytes : new byte[][] {hugeList, hugeString}) {
      assertThatThrownBy(() -> ExpressionDecoder.decode(bytes))
          .isInstanceOf(ExpressionFormatException.class);
    }
  }

  @Test
  void deeplyNestedFieldsOfUnknownNumberAreRefused() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Field 9, a list of one list of one list ...
    bytes.write(0x99);
    for (int depth = 0; depth < 1_000_000; depth++) {
      bytes.write(0x19);
    }
    assertThatThrownBy(() -> ExpressionDecoder.decode(bytes.toByteArray()))
        .isInstanceOf(ExpressionFormatException.class)
        .hasMessageContaining("deep");
  }

  @Test
  void anExpressionAsDeepAsItIsLongIsEvaluatedAndShown() {
    List<ExpressionNode> nodes = new ArrayList<>(DISTANCE);
    for (int depth = 0; depth < 100_000; depth++) {
      nodes.addAll(CARRIER);
      ExpressionOperator operator = depth % 2 == 0 ? ExpressionOperator.OR : ExpressionOperator.AND;
      nodes.add(new ExpressionNode().setOperator(operator.getValue()).setArity(2));
    }
    HudiExpression deep = expression(nodes);
    assertThat(deep.evaluate(twoFiles())).isEqualTo(bits(0, 1));
    assertThat(deep.toString()).startsWith("((((").hasSizeLessThan(2100);
  }

  @Test
  void membershipFindsAValueInsideTheBoundsOnly() {
    InMemoryStatistics statistics = new InMemoryStatistics(4);
    statistics.put("distance", 0, distances(11, 19));
    statistics.put("distance", 1, distances(10, 10));
    statistics.put("distance", 2, distances(21, 99));
    statistics.put("distance", 3, distances(15, 20));
    byte[][] values = {encodeInteger(10), encodeInteger(20)};
    assertThat(
            expression(leaf(ExpressionOperator.IN, "distance", "int", values)).evaluate(statistics))
        .isEqualTo(bits(1, 3));
    assertThat(
            expression(leaf(ExpressionOperator.NOT_IN, "distance", "int", values))
                .evaluate(statistics))
        .isEqualTo(bits(0, 2, 3));
  }

  @Test
  void floatBoundsDecideOnlyWhereThereIsNoNaN() {
    InMemoryStatistics statistics = new InMemoryStatistics(4);
    Optional<HiveType> type = HiveType.parse("double");
    byte[] lower = encodeDouble(1);
    byte[] upper = encodeDouble(2);
    statistics.put("d", 0, new ColumnStatistics(type, lower, upper, 0, 5, 0));
    statistics.put("d", 1, new ColumnStatistics(type, lower, upper, 0, 5, 1));
    statistics.put("d", 2, new ColumnStatistics(type, lower, upper, 0, 5, -1));
    statistics.put("d", 3, new ColumnStatistics(type, null, null, 5, 5, -1));
    assertThat(
            expression(leaf(ExpressionOperator.GT, "d", "double", encodeDouble(5)))
                .evaluate(statistics))
        .as("0 no NaN, 1 a NaN, 2 not known, 3 all NULL")
        .isEqualTo(bits(1, 2));
  }
}
