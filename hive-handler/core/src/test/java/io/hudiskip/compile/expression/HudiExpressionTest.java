// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.compile.encoding.ValueEncoding.encodeString;
import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.message;
import static io.hudiskip.conformance.Expressions.or;
import static io.hudiskip.conformance.Expressions.serialize;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static StatisticsTable twoFiles() {
    Optional<HiveType> type = HiveType.parse("int");
    ColumnStatistics known =
        new ColumnStatistics(type, encodeInteger(1), encodeInteger(9), 0, 5, -1);
    ColumnStatistics[] ranges = {known, null};
    return StatisticsTable.of(2, Collections.singletonMap("distance", ranges));
  }

  @Test
  void namesTheColumnsThatItNeedsAndItsFingerprint() {
    HudiExpression both = expression(or(DISTANCE, CARRIER));
    assertThat(both.columns()).containsExactly("carrier", "distance");
    assertThat(both.fingerprint()).containsExactly(1, 2, 3);
  }

  @Test
  void anExpressionForANewerReaderIsRefusedWithARemedy() {
    byte[] bytes = serialize(message(DISTANCE).setMinReaderVersion(2));
    assertThatThrownBy(() -> ExpressionDecoder.decode(bytes))
        .isInstanceOf(ExpressionFormatException.class)
        .hasMessageContaining("format version 2")
        .hasMessageContaining("install");
  }

  @Test
  void damagedBytesAreRefusedOrReadButNeverEndInAnotherError() {
    byte[] good = serialize(message(and(DISTANCE, CARRIER)));
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
  void announcedSizesAreNotTrusted() {
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
  void setsInUnknownFieldsAreSkipped() throws Exception {
    byte[] good = serialize(message(CARRIER));
    // Before the byte that ends the struct: fields that follow their predecessor by one, each an
    // empty set of bytes.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(good, 0, good.length - 1);
    for (int field = 0; field < 100; field++) {
      bytes.write(0x1A);
      bytes.write(0x03);
    }
    bytes.write(0);
    assertThat(ExpressionDecoder.decode(bytes.toByteArray()).columns()).containsExactly("carrier");
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
    assertThat(deep.evaluate(twoFiles()).stream()).containsExactly(0, 1);
    assertThat(deep.toString()).startsWith("((((").hasSizeLessThan(2100);
  }
}
