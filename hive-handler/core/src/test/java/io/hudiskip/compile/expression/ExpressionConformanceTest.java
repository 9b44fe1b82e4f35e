// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Expressions;
import io.hudiskip.conformance.Hex;
import io.hudiskip.conformance.JvmZones;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the decoder and the renderer to {@code expression.json}. */
class ExpressionConformanceTest {

  @TestFactory
  Stream<DynamicTest> bytesAreTheTreeThatBothLanguagesAgreedOn() throws IOException {
    return ConformanceVectors.tests("expression.json", "vectors", ExpressionConformanceTest::check);
  }

  @TestFactory
  Stream<DynamicTest> expressionsAreShownAsBothLanguagesAgreedInEveryZone() throws IOException {
    return ConformanceVectors.tests(
        "expression.json",
        "texts",
        vector -> {
          HudiExpression expression =
              Expressions.expression(Expressions.fromTree(vector.get("tree")));
          String text = vector.get("text").textValue();
          JvmZones.inEach(zone -> assertThat(expression).hasToString(text));
        });
  }

  private static void check(JsonNode vector) throws ExpressionFormatException {
    byte[] bytes = Hex.decode(vector.get("bytes").textValue());
    if (vector.has("error")) {
      assertThatThrownBy(() -> ExpressionDecoder.decode(bytes))
          .as("must be refused: %s", vector.get("error").textValue())
          .isInstanceOf(ExpressionFormatException.class);
      return;
    }
    HudiExpression expression = ExpressionDecoder.decode(bytes);
    assertThat(Hex.encode(expression.fingerprint()))
        .as("fingerprint")
        .isEqualTo(vector.get("fingerprint").textValue());
    // Only the wording of reasons is free.
    assertThat(expression.nodes())
        .as("tree")
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .ignoringFields("reason")
        .isEqualTo(Expressions.expression(Expressions.fromTree(vector.get("tree"))).nodes());
  }
}
