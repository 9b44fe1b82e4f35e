// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.hive.filter.HiveFilters;
import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The names by which the predicate compiler knows Hive's functions, and how they are called. */
class FunctionConformanceTest {
  @TestFactory
  Stream<DynamicTest> hivesTypeCheckerMakesThisTree() throws IOException {
    return ConformanceVectors.tests("functions.json", "functions", FunctionConformanceTest::check);
  }

  private static void check(JsonNode vector) {
    TypedFilter filter = TypedFilter.of(HiveFilters.where(vector.get("sql").asText()));
    FilterTree tree = filter.tree();
    FilterNode root = tree.getNodes().get(tree.getNodesSize() - 1);
    assertThat(Render.tree(tree)).isEqualTo(vector.get("tree").asText());
    assertThat(FilterNodeKind.findByValue(root.getKind())).isEqualTo(FilterNodeKind.FUNCTION);
    assertThat(root.getName()).isEqualTo(vector.get("name").asText());
    assertThat(filter.root().get().children()).hasSize(vector.get("arity").asInt());
    assertThat(root.getType()).isEqualTo(vector.get("type").asText());
  }
}
