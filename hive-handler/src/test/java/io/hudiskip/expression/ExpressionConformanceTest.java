/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the decoder to {@code expression.json}. */
class ExpressionConformanceTest {

  @TestFactory
  Stream<DynamicTest> bytesAreTheTreeThatBothLanguagesAgreedOn() throws IOException {
    return ConformanceVectors.load("expression.json", "vectors").stream()
        .map(
            vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check(vector)));
  }

  private static void check(JsonNode vector) throws ExpressionFormatException {
    byte[] bytes = Hex.decode(vector.get("bytes").textValue());
    if (vector.has("error")) {
      assertThatThrownBy(() -> HudiExpression.decode(bytes))
          .as("must be refused: %s", vector.get("error").textValue())
          .isInstanceOf(ExpressionFormatException.class);
      return;
    }
    HudiExpression expression = HudiExpression.decode(bytes);
    assertThat(Hex.encode(expression.fingerprint()))
        .as("fingerprint")
        .isEqualTo(vector.get("fingerprint").textValue());
    Program program = expression.program();
    checkTree(program, program.children(), program.size() - 1, vector.get("tree"));
    assertThat(program.size()).as("number of nodes").isEqualTo(countNodes(vector.get("tree")));
  }

  private static int countNodes(JsonNode tree) {
    int count = 1;
    for (JsonNode child : tree.path("children")) {
      count += countNodes(child);
    }
    return count;
  }

  private static void checkTree(Program program, int[][] children, int index, JsonNode tree) {
    Node node = program.node(index);
    assertThat(node.operator().name())
        .as("operator of %s", tree)
        .isEqualTo(tree.get("op").asText());
    if (node.isLeaf()) {
      assertThat(node.column()).isEqualTo(tree.get("column").textValue());
      assertThat(node.type().toString()).isEqualTo(tree.get("type").textValue());
      List<String> values = new ArrayList<>();
      tree.path("values").forEach(value -> values.add(value.textValue()));
      assertThat(node.values().stream().map(Hex::encode))
          .as("values of %s", tree)
          .containsExactlyElementsOf(values);
    }
    assertThat(children[index]).as("children of %s", tree).hasSize(tree.path("children").size());
    for (int i = 0; i < children[index].length; i++) {
      checkTree(program, children, children[index][i], tree.get("children").get(i));
    }
  }
}
