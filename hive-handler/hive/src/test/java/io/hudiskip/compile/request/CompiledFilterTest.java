// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.Settings;
import io.hudiskip.compile.client.SharedClients;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.filter.HiveFilters;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.hive.settings.SkippingConf;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From Hive's expression nodes through the Python compiler to an expression. */
class CompiledFilterTest {
  private static final Configuration CONF = HiveFilters.scan();

  @BeforeAll
  static void setCommand() {
    CONF.set(SkippingConf.COMPILER_COMMAND, Settings.command());
    CONF.set(SkippingConf.COMPILER_TIMEOUT_MS, "20000");
  }

  private static String compiled(String condition) throws Exception {
    TypedFilter filter = TypedFilter.of(HiveFilters.where(condition));
    Compilation compiled = CompileCalls.compile(SharedClients.get(CONF), CONF, filter, null);
    HudiExpression expression = ExpressionDecoder.decode(compiled.expression());
    assertThat(expression.fingerprint()).isEqualTo(filter.fingerprint());
    return expression.toString();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i = 1 | i = 1",
        "i = 3000000000 | i = 3000000000",
        "i = NULL | none",
        "i <=> NULL | i is null",
        "NOT (i <=> 1) | i != 1 or i is null",
        "i IN (1, NULL) | i = 1",
        "i IN (3, 1, 2) | i in (1, 2, 3)",
        "s NOT IN ('b', 'a') | s not in ('a', 'b')",
        "dt IN (DATE '2021-03-05', DATE '2021-03-04') | dt in ('2021-03-04', '2021-03-05')",
        "i IN (1, 2, NULL, 3) | i in (1, 2, 3)",
        "i IN (j, 1, 2) | hive(term 3 over i, j)",
        "i NOT IN (1, NULL) | none",
        "i BETWEEN 1 AND 2 | i in {[1, 2]}",
        "5 < i | i > 5",
        "b OR i = 2 | b = true or i = 2",
        "NOT (i = 1 AND s = 'a') | i != 1 or s != 'a'",
        "m < 1.50 | m < 1.5",
        "d <> 1D | d != 1.0",
        "f > 0.1 | f > 0.10000000149011612",
        "c = 'ab' | c in {['ab', 'ac')} and hive(term 2 over c)",
        "dt >= DATE '2021-03-04' | dt >= '2021-03-04'",
        "ts > TIMESTAMP '2021-03-04 00:00:00' | ts >= '2021-03-02 12:00:00'",
        "i < 1.5 | i <= 1",
        "i > -1.5 | i >= -1",
        "i <> 1.5 | i is not null",
        "i NOT BETWEEN 1.5 AND 2.5 | i in {(-∞, 1], [3, ∞)}",
        "i = j | i = j and hive(term 2 over i, j)",
        "(i, s) IN (struct(1,'a'), struct(2,'b')) | ((i = 1 and s = 'a') or (i = 2 and s = 'b'))"
            + " and hive(term 9 over i, s)",
        "tz IS NULL | tz is null",
        "st.x = 3 | st.x = 3",
        "i = 1 AND s = 'x\\' and z = \\'1' | i = 1 and s = 'x\\' and z = \\'1'",
      })
  void aFilterIsCompiled(String condition, String expected) throws Exception {
    assertThat(compiled(condition)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "s = 5",
        "s < 5",
        "s IN (5, 7)",
        "tz > TIMESTAMP '2021-03-04 00:00:00'",
        "arr.x IS NULL",
        "rand() < 0.5",
        "bin = cast('a' AS binary)",
        "i = 1 OR s = 5",
      })
  void aTrapIsNoReasonToSkip(String condition) throws Exception {
    assertThat(compiled(condition)).startsWith("any [");
  }
}
