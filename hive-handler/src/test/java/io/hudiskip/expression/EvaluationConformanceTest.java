/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Expressions;
import io.hudiskip.conformance.Hex;
import io.hudiskip.conformance.JvmZones;
import io.hudiskip.encoding.HiveType;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the evaluator to {@code evaluation.json}. */
class EvaluationConformanceTest {

  @TestFactory
  Stream<DynamicTest> filesAreKeptOrSkippedAsBothLanguagesAgreed() throws IOException {
    return ConformanceVectors.load("evaluation.json", "vectors").stream()
        .map(
            vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check(vector)));
  }

  private static void check(JsonNode vector) throws Exception {
    JsonNode files = vector.get("files");
    JsonNode keep = vector.get("keep");
    assertThat(keep).as("one answer for each file").hasSameSizeAs(files);
    BitSet expected = new BitSet();
    for (int i = 0; i < keep.size(); i++) {
      expected.set(i, keep.get(i).booleanValue());
    }
    HudiExpression expression =
        Expressions.expression(Expressions.fromTree(vector.get("expression")));
    TableStatistics statistics = statistics(files);
    JvmZones.inEach(
        zone ->
            assertThat(expression.evaluate(statistics))
                .as("files kept by %s in zone %s", expression, zone)
                .isEqualTo(expected));
  }

  private static TableStatistics statistics(JsonNode files) {
    TableStatistics statistics = new TableStatistics(files.size());
    for (int i = 0; i < files.size(); i++) {
      int file = i;
      files
          .get(i)
          .fields()
          .forEachRemaining(
              column -> statistics.put(column.getKey(), file, range(column.getValue())));
    }
    return statistics;
  }

  private static ColumnRange range(JsonNode json) {
    return new ColumnRange(
        HiveType.parse(json.get("type").textValue()),
        Hex.decodeNullable(json.get("lower")),
        Hex.decodeNullable(json.get("upper")),
        count(json.get("null_count")),
        count(json.get("value_count")),
        count(json.get("nan_count")));
  }

  private static long count(JsonNode json) {
    return json == null || json.isNull() ? ColumnRange.UNKNOWN_COUNT : json.longValue();
  }
}
