// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Hive's functions have the values on which the predicate compiler's rules rest. */
class FunctionValuesTest {
  private static final String FILE = "function_values.json";
  private static final String NUMBER_FILE = "number_function_values.json";
  private static final String STRING_FILE = "string_function_values.json";

  @TestFactory
  Stream<DynamicTest> hiveReturnsTheseValues() throws IOException {
    return ConformanceVectors.tests(FILE, "functions", FunctionValuesTest::checkValues);
  }

  private static void checkValues(JsonNode vector) throws Exception {
    String sql = vector.get("sql").asText();
    String column = vector.get("column").asText();
    List<Object> arguments = arguments(FILE, column);
    List<String> inRows = texts(vector.get("values"));
    List<String> inVectors = vector.has("vectorized") ? texts(vector.get("vectorized")) : inRows;
    String zone = vector.get("zoned").asBoolean() ? "UTC" : "America/Sao_Paulo";
    for (String formatter : new String[] {"DATETIME", "SIMPLE"}) {
      HiveValues hive = new HiveValues(column, zone, formatter);
      check(formatter + " rows", arguments, hive.inRows(sql, arguments), inRows);
      check(formatter + " vectors", arguments, hive.inVectors(sql, arguments), inVectors);
    }
  }

  @TestFactory
  Stream<DynamicTest> hiveReturnsTheseStrings() throws IOException {
    return ConformanceVectors.tests(STRING_FILE, "functions", FunctionValuesTest::checkStrings);
  }

  private static void checkStrings(JsonNode vector) throws Exception {
    List<Object> strings = new ArrayList<>(texts(ConformanceVectors.load(STRING_FILE, "strings")));
    checkRecorded(vector, "s", strings);
  }

  @TestFactory
  Stream<DynamicTest> hiveReturnsTheseNumbersAndConversions() throws IOException {
    return ConformanceVectors.tests(NUMBER_FILE, "functions", FunctionValuesTest::checkNumbers);
  }

  private static void checkNumbers(JsonNode vector) throws Exception {
    String column = vector.get("column").asText();
    checkRecorded(vector, column, arguments(NUMBER_FILE, column));
  }

  private static void checkRecorded(JsonNode vector, String column, List<Object> arguments)
      throws Exception {
    String sql = vector.get("sql").asText();
    List<String> inRows = texts(vector.get("rows"));
    HiveValues hive = new HiveValues(column, "UTC", "DATETIME");
    assertThat(hive.inRows(sql, arguments)).as("%s, rows", sql).isEqualTo(inRows);
    assertThat(hive.inVectors(sql, arguments))
        .as("%s, vectors", sql)
        .isEqualTo(vector.has("vectorized") ? texts(vector.get("vectorized")) : inRows);
  }

  private static void check(
      String how, List<Object> arguments, List<String> found, List<String> expected) {
    assertThat(found).as(how).hasSameSizeAs(expected);
    int known = 0;
    for (int i = 0; i < expected.size(); i++) {
      if (expected.get(i) != null) {
        known++;
        assertThat(found.get(i)).as("%s: %s", how, arguments.get(i)).isEqualTo(expected.get(i));
      }
    }
    assertThat(known).as("known results, " + how).isGreaterThan(50);
  }

  private static List<Object> arguments(String file, String column) throws IOException {
    JsonNode vectors =
        new ObjectMapper().readTree(ConformanceVectors.directory().resolve(file).toFile());
    List<Object> arguments = new ArrayList<>();
    for (String text : texts(vectors.get("columns").get(column))) {
      arguments.add(text == null ? null : argument(column, text));
    }
    return arguments;
  }

  private static Object argument(String column, String text) {
    switch (column) {
      case "b":
        return Boolean.valueOf(text);
      case "ti":
        return Byte.valueOf(text);
      case "si":
        return Short.valueOf(text);
      case "i":
        return Integer.valueOf(text);
      case "bi":
        return Long.valueOf(text);
      case "f":
        return Float.valueOf(text);
      case "d":
        return Double.valueOf(text);
      case "m":
        return HiveDecimal.create(text);
      case "dt":
        return Date.valueOf(text);
      case "ts":
        return Timestamp.valueOf(text);
      default:
        return text;
    }
  }

  private static List<String> texts(Iterable<JsonNode> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(value.isNull() ? null : value.asText()));
    return texts;
  }
}
