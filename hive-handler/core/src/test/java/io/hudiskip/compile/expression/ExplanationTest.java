// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.or;
import static io.hudiskip.conformance.Expressions.term;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  @Test
  void eachNodeIsListedBeforeItsChildrenWithTheFilesThatItKeeps() {
    ColumnStatistics[] ranges = new ColumnStatistics[4];
    for (int file = 0; file < 4; file++) {
      byte[] value = encodeInteger(file);
      ranges[file] = new ColumnStatistics(HiveType.parse("int"), value, value, 0, 1, -1);
    }
    StatisticsTable statistics = StatisticsTable.of(4, Collections.singletonMap("a", ranges));
    HudiExpression expression =
        expression(
            and(
                leaf(ExpressionOperator.GT, "a", "int", encodeInteger(0)),
                or(
                    leaf(ExpressionOperator.EQ, "a", "int", encodeInteger(2)),
                    constant(ExpressionOperator.NEVER),
                    term(9, 1, "a", "int"))));
    TermEvaluator onlyFor1 =
        (term, row) ->
            Optional.of(
                Arrays.equals(row.get(0).encoded(), encodeInteger(1))
                    ? TermEvaluator.Outcome.TRUE
                    : TermEvaluator.Outcome.NULL);
    List<ExplainedNode> nodes = expression.explain(statistics, onlyFor1);
    assertThat(
            nodes.stream()
                .map(node -> node.depth() + " " + node.text() + " " + node.filesKept())
                .collect(Collectors.toList()))
        .containsExactly(
            "0 and 2", "1 a > 0 3", "1 or 2", "2 a = 2 1", "2 none 0", "2 hive(term 9 over a) 1");
    assertThat(nodes.get(0).filesKept())
        .isEqualTo(expression.evaluate(statistics, onlyFor1).cardinality());
  }
}
