// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Expressions;
import io.hudiskip.conformance.JvmZones;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the evaluator to {@code evaluation.json} and {@code truth_tables.json}. */
class EvaluationConformanceTest {

  @TestFactory
  Stream<DynamicTest> filesAreKeptOrSkippedAsBothLanguagesAgreed() throws IOException {
    return ConformanceVectors.tests(
        "evaluation.json", "vectors", vector -> check(vector, vector.get("files")));
  }

  @TestFactory
  Stream<DynamicTest> andOrAndNotKeepWhatIsTrueOfEveryPairOfOutcomes() throws IOException {
    return ConformanceVectors.tests(
        "truth_tables.json",
        "pairs",
        pair -> {
          for (JsonNode vector : pair.get("filters")) {
            check(vector, pair.get("files"));
          }
        });
  }

  private static void check(JsonNode vector, JsonNode files) throws Exception {
    JsonNode keep = vector.get("keep");
    assertThat(keep).as("one answer for each file").hasSameSizeAs(files);
    BitSet expected = new BitSet();
    for (int i = 0; i < keep.size(); i++) {
      expected.set(i, keep.get(i).booleanValue());
    }
    HudiExpression expression =
        Expressions.expression(Expressions.fromTree(vector.get("expression")));
    StatisticsTable statistics = JsonStatistics.of(files);
    JvmZones.inEach(
        zone ->
            assertThat(expression.evaluate(statistics))
                .as("%s: files kept by %s in zone %s", vector.path("name"), expression, zone)
                .isEqualTo(expected));
  }
}
