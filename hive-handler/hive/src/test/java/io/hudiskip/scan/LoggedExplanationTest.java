// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.request.TestCalls;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.index.IndexState;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.Rewrite;
import io.hudiskip.thrift.UnusedTerm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoggedExplanationTest {
  static List<JsonNode> vectors() throws IOException {
    return ConformanceVectors.load("explain.json", "vectors");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void isTheTextOfTheVectors(JsonNode vector) {
    CompileResponse compiled = new CompileResponse().setUnderstood(vector.get("filter").asText());
    vector
        .get("rewrites")
        .forEach(
            rewrite ->
                compiled.addToRewrites(
                    new Rewrite()
                        .setRule(rewrite.get("rule").asText())
                        .setBefore(rewrite.get("before").asText())
                        .setAfter(rewrite.get("after").asText())));
    vector
        .get("unused")
        .forEach(
            unused ->
                compiled.addToUnusedTerms(
                    new UnusedTerm()
                        .setTerm(unused.get("term").asText())
                        .setReason(unused.get("reason").asText())));
    List<ExplainedNode> nodes = new ArrayList<>();
    vector
        .get("nodes")
        .forEach(
            node ->
                nodes.add(
                    new ExplainedNode(
                        node.get("depth").asInt(),
                        node.get("text").asText(),
                        node.get("kept").asInt())));
    List<String> lines = new ArrayList<>();
    vector.get("text").forEach(line -> lines.add(line.asText()));
    assertThat(
            LoggedExplanation.of(
                TestCalls.compilation(compiled),
                nodes,
                vector.get("files").asInt(),
                vector.get("kept").asInt(),
                IndexState.of(vector.get("generation").asLong(), vector.get("instant").asText()),
                vector.get("dynamic_terms").asInt()))
        .isEqualTo(String.join("\n", lines));
  }

  @Test
  void aLiteralCannotForgeALineOfTheLog() {
    CompileResponse compiled =
        new CompileResponse().setUnderstood("s = 'x\r\nhudi-skip scan query=\u2028forged'");
    assertThat(
            LoggedExplanation.of(
                    TestCalls.compilation(compiled),
                    Collections.emptyList(),
                    1,
                    1,
                    IndexState.of(1, "1"),
                    0)
                .split("\\R"))
        .hasSize(3);
  }
}
