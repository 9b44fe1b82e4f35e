// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeString;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What {@code expression.json} does not hold both languages to. */
class RendererTest {
  private static String equalTo(String type, byte[] value) {
    return expression(leaf(ExpressionOperator.EQ, "a", type, value)).toString();
  }

  @Test
  void longAndMultiLineLiteralsAreShownOnOneShortLine() {
    StringBuilder text = new StringBuilder("a\nhudi-skip scan kept=0\u2028");
    for (int i = 0; i < 1000; i++) {
      text.append('x');
    }
    assertThat(equalTo("string", encodeString(text.toString())))
        .hasSizeLessThan(100)
        .doesNotContain("\n", "\u2028")
        .endsWith("x…'");
  }

  @Test
  void anExpressionIsCutAt2000Characters() {
    String column = String.join("", Collections.nCopies(3000, "\uD83D\uDE00"));
    String text = expression(leaf(ExpressionOperator.IS_NULL, column, "int")).toString();
    assertThat(text.codePointCount(0, text.length())).isEqualTo(2000);
    assertThat(text).startsWith(column.substring(0, 2 * 1999)).endsWith("…");
  }
}
