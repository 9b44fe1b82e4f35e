// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.stream.Stream;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the rules of table properties to {@code properties.json}. */
class PropertyConformanceTest {
  private static final String PATH = "/lake/t";

  @TestFactory
  Stream<DynamicTest> tablesAreReadOrRefusedByTheNameOfTheProperty() throws IOException {
    return ConformanceVectors.load("properties.json", "vectors").stream()
        .map(
            vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check(vector)));
  }

  private static void check(JsonNode vector) throws UnreadableTableException {
    HoodieTableConfig config = new HoodieTableConfig();
    String type = vector.get("type").textValue();
    config.setValue(HoodieTableConfig.TYPE.key(), type);
    // Where there is none, Hudi assumes the newest version, and Python the oldest.
    config.setValue(HoodieTableConfig.VERSION.key(), "6");
    vector
        .get("properties")
        .fields()
        .forEachRemaining(
            property -> config.setValue(property.getKey(), property.getValue().textValue()));
    if (vector.get("refused").isNull()) {
      require(config, type);
      if (type.equals("MERGE_ON_READ")) {
        assertThat(config.getOrderingFieldsStr().orElse(null))
            .as("the ordering fields, where Hudi looks for them")
            .isEqualTo(vector.get("ordering").textValue());
      }
    } else {
      assertThatThrownBy(() -> require(config, type))
          .isInstanceOf(UnreadableTableException.class)
          .hasMessageContaining(vector.get("refused").textValue());
    }
  }

  private static void require(HoodieTableConfig config, String type)
      throws UnreadableTableException {
    TableProperties.requireVersion(config, PATH);
    boolean isMergeOnRead = !type.equals("COPY_ON_WRITE");
    KnownProperties.require(config, isMergeOnRead, PATH);
    if (isMergeOnRead) {
      OrderingFields.normalize(config, PATH);
      Merging.requireMode(config, PATH);
    }
  }
}
