// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.filter.HiveFilters;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.hive.version.HiveGrammar;
import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionUtil;
import org.apache.hive.common.util.HiveVersionInfo;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The names by which the predicate compiler knows Hive's functions, and how they are called. */
class FunctionConformanceTest {
  private static final String FILE = "functions.json";
  private static final String LIST = "functions";
  private static final Pattern TOKEN = Pattern.compile("TOK_\\w+");

  @TestFactory
  Stream<DynamicTest> hivesTypeCheckerMakesThisTree() throws IOException {
    return ConformanceVectors.tests(FILE, LIST, FunctionConformanceTest::check);
  }

  private static void check(JsonNode vector) throws IOException {
    TypedFilter filter = TypedFilter.of(HiveFilters.where(vector.get("sql").asText()));
    FilterTree tree = filter.tree();
    FilterNode root = tree.getNodes().get(tree.getNodesSize() - 1);
    JsonNode expected = inThisRelease(vector);
    assertThat(Render.tree(tree)).isEqualTo(withNumbers(expected.get("tree").asText()));
    assertThat(FilterNodeKind.findByValue(root.getKind())).isEqualTo(FilterNodeKind.FUNCTION);
    assertThat(root.getName()).isEqualTo(expected.get("name").asText());
    assertThat(filter.root().get().children()).hasSize(expected.get("arity").asInt());
    assertThat(root.getType()).isEqualTo(expected.get("type").asText());
  }

  /** The vector whose tree the running release makes of an expression. */
  private static JsonNode inThisRelease(JsonNode vector) throws IOException {
    String running = HiveVersionInfo.getShortVersion();
    String sql = vector.get("sql").asText();
    for (Map.Entry<String, JsonNode> since : vector.path("since").properties()) {
      if (VersionUtil.compareVersions(running, since.getKey()) >= 0) {
        sql = since.getValue().asText();
      }
    }
    for (JsonNode candidate : ConformanceVectors.load(FILE, LIST)) {
      if (candidate.get("sql").asText().equals(sql)) {
        return candidate;
      }
    }
    throw new AssertionError("no vector for " + sql);
  }

  /** The tree with the running release's numbers in place of the names of tokens. */
  private static String withNumbers(String tree) {
    Matcher names = TOKEN.matcher(tree);
    StringBuffer numbers = new StringBuffer();
    while (names.find()) {
      names.appendReplacement(numbers, String.valueOf(HiveGrammar.token(names.group())));
    }
    return names.appendTail(numbers).toString();
  }
}
