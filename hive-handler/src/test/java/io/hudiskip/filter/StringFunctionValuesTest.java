/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The results of functions of strings, on which the predicate compiler's rules are tried, are
 * Hive's.
 */
class StringFunctionValuesTest {
  private static final String FILE = "string_function_values.json";

  static List<JsonNode> functions() throws IOException {
    return ConformanceVectors.load(FILE, "functions");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("functions")
  void hiveGivesTheseValues(JsonNode vector) throws Exception {
    String sql = vector.get("sql").asText();
    List<Object> strings = new ArrayList<>(texts(ConformanceVectors.load(FILE, "strings")));
    List<String> inRows = texts(vector.get("rows"));
    List<String> inVectors = vector.has("vectorized") ? texts(vector.get("vectorized")) : inRows;
    HiveValues hive = new HiveValues("s", "UTC", "DATETIME");
    assertThat(hive.inRows(sql, strings)).as("%s, rows", sql).isEqualTo(inRows);
    assertThat(hive.inVectors(sql, strings)).as("%s, vectors", sql).isEqualTo(inVectors);
  }

  private static List<String> texts(Iterable<JsonNode> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(value.asText()));
    return texts;
  }
}
