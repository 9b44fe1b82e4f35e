// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hudi.common.util.PartitionPathEncodeUtils;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the reading of partition paths to {@code partition_values.json} and to Hudi's writing. */
class PartitionColumnsTest {

  @TestFactory
  Stream<DynamicTest> valuesAreThoseThatBothLanguagesAgreedOn() throws IOException {
    return ConformanceVectors.load("partition_values.json", "vectors").stream()
        .map(
            vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check(vector)));
  }

  private static void check(JsonNode vector) throws UnreadableTableException {
    List<String> names = new ArrayList<>();
    vector.get("columns").forEach(name -> names.add(name.textValue()));
    PartitionColumns columns =
        new PartitionColumns(
            names,
            vector.get("hive_style").booleanValue(),
            vector.get("url_encoded").booleanValue());
    String path = vector.get("path").textValue();
    if (vector.has("error")) {
      assertThatThrownBy(() -> columns.values(path))
          .isInstanceOf(UnreadableTableException.class)
          .hasMessageContaining("'" + path + "'")
          .hasMessageContaining("urlencode=true");
      return;
    }
    Map<String, String> values = new HashMap<>();
    vector
        .get("values")
        .properties()
        .forEach(value -> values.put(value.getKey(), value.getValue().textValue()));
    assertThat(columns.values(path)).isEqualTo(values);
  }

  @Test
  void whatHudiEscapesIsReadAsItWas() throws Exception {
    for (boolean hiveStyle : new boolean[] {false, true}) {
      PartitionColumns columns =
          new PartitionColumns(Collections.singletonList("part"), hiveStyle, true);
      for (char c = 0; c < Character.MIN_SURROGATE; c++) {
        String value = "1" + c + "41";
        String path = (hiveStyle ? "part=" : "") + PartitionPathEncodeUtils.escapePathName(value);
        assertThat(columns.values(path)).containsExactly(entry("part", value));
      }
    }
  }

  @Test
  void namesHaveNoCase() {
    PartitionColumns columns =
        new PartitionColumns(Collections.singletonList("Part"), false, false);
    assertThat(columns.contains("part")).isTrue();
    assertThat(columns.contains("par")).isFalse();
    assertThat(columns.isEmpty()).isFalse();
  }
}
