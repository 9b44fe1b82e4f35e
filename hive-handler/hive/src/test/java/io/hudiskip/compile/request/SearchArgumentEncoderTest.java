// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static io.hudiskip.compile.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.conformance.JvmZones;
import io.hudiskip.thrift.SearchArgument;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.sarg.ConvertAstToSearchArg;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchArgumentEncoderTest {
  private static final String MAYBE = "YES_NO_NULL";

  private static SearchArgument argument(ExprNodeDesc filter) {
    FilterTerm root = TypedFilter.of(filter).root().orElseThrow(AssertionError::new);
    return SearchArgumentEncoder.encode(new Configuration(false), root);
  }

  private static String encoded(String condition) {
    return Render.searchArgument(argument(where(condition)));
  }

  private static String stock(String condition) {
    return ConvertAstToSearchArg.create(
            new Configuration(false), (ExprNodeGenericFuncDesc) where(condition))
        .toString();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i < 1.5 | leaf-(LESS_THAN i 1)",
        "i > -1.5 | (not leaf-(LESS_THAN_EQUALS i -1))",
        "i <> 1.5 | (not leaf-(EQUALS i 1))",
        "i NOT BETWEEN 1.5 AND 2 | (not leaf-(BETWEEN i 1 2))",
        "s = 5 | leaf-(EQUALS s 5)",
        "s < 5 | leaf-(LESS_THAN s 5)",
        "s IN (5, 7) | leaf-(IN s 5 7)",
        "tz > TIMESTAMP '2020-01-01 00:00:00'"
            + " | (not leaf-(LESS_THAN_EQUALS tz 2020-01-01 00:00:00.0))",
      })
  void aLeafThatHiveMakesOfAnotherTypeIsNotPassedOn(String condition, String stock) {
    assertThat(stock(condition))
        .as("the trap still exists; otherwise this test shows nothing")
        .isEqualTo(stock);
    assertThat(encoded(condition)).isEqualTo(MAYBE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "b | (EQUALS b:boolean true:boolean)",
        "b = false | (EQUALS b:boolean false:boolean)",
        "ti = 3Y | (EQUALS ti:tinyint 3:tinyint)",
        "i = 3000000000 | (EQUALS i:int 3000000000:bigint)",
        "bi < 5 | (LESS_THAN bi:bigint 5:bigint)",
        "i > 5 | (NOT (LESS_THAN_EQUALS i:int 5:int))",
        "5 > i | (LESS_THAN i:int 5:int)",
        "5 <= i | (NOT (LESS_THAN i:int 5:int))",
        "i <> 5 | (NOT (EQUALS i:int 5:int))",
        "i <=> 5 | (NULL_SAFE_EQUALS i:int 5:int)",
        "NOT (i <=> 5) | (NOT (NULL_SAFE_EQUALS i:int 5:int))",
        "i IN (1, NULL) | (IN i:int 1:int NULL:int)",
        "i NOT IN (1, 2) | (NOT (IN i:int 1:int 2:int))",
        "i BETWEEN 1 AND 2 | (BETWEEN i:int 1:int 2:int)",
        "f > 0.1 | (NOT (LESS_THAN_EQUALS f:float 0.10000000149011612:float))",
        "d < 0.1D | (LESS_THAN d:double 0.1:double)",
        "m >= 1.50 | (NOT (LESS_THAN m:decimal(10,2) 1.5:decimal(2,1)))",
        "s = 'a' | (EQUALS s:string 'a':string)",
        "c = 'ab' | (EQUALS c:char(5) 'ab':char(5))",
        "v IN ('a ', 'b') | (IN v:varchar(5) 'a ':varchar(5) 'b':varchar(5))",
        "dt < DATE '2021-03-04' | (LESS_THAN dt:date day 18690:date)",
        "s IS NULL | (IS_NULL s:string)",
        "ts IS NOT NULL | (NOT (IS_NULL ts:timestamp))",
        "NOT (i = 1 AND s = 'a') | (OR (NOT (EQUALS i:int 1:int)) (NOT (EQUALS s:string"
            + " 'a':string)))",
        "i = 1 AND s LIKE 'a%' | (EQUALS i:int 1:int)",
        "i = 1 AND j < 1.5 | (EQUALS i:int 1:int)",
      })
  void aLeafOfFittingTypesIsPassedOnWithTypedLiterals(String condition, String expected) {
    assertThat(encoded(condition)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "i = 1 OR j < 1.5",
        "i = NULL",
        "i <=> NULL",
        "i IN (1, 1.5)",
        "s IN ('5', 5)",
        "i = j",
        "i + 1 = 2",
        "cast(bi AS int) = 5",
        "st.x = 3",
        "year(dt) = 2021",
        "(i, s) IN (struct(1,'a'), struct(2,'b'))",
        "ts BETWEEN '2020-01-01' AND '2021-01-01'",
        "tz IS NULL",
        "bin = cast('a' AS binary)",
        "b IS NOT FALSE",
        "s = cast('ab' AS char(5))",
        "v = cast('ab' AS char(5))",
        "dt = TIMESTAMP '2021-03-04 00:00:00'",
        "i = rand()",
      })
  void whatIsNotAColumnAgainstConstantsOfItsTypeIsUnknown(String condition) {
    assertThat(encoded(condition)).isEqualTo(MAYBE);
  }

  @Test
  void unknownStaysUnknownUnderNot() {
    assertThat(encoded("NOT (i = 1 OR NOT (j < 1.5))"))
        .as("i <> 1 is known, the other conjunct is not")
        .isEqualTo("(NOT (EQUALS i:int 1:int))");
    assertThat(encoded("NOT (i = 1 AND j < 1.5)")).isEqualTo(MAYBE);
  }

  @ParameterizedTest
  @CsvSource({"1582-10-10", "1582-10-04", "1500-02-29", "0001-01-01", "-0001-01-01"})
  void aDateBeforeTheGregorianCalendarIsPassedOnExactlyOrNotAtAll(String day) {
    String condition = "dt = cast('" + day + "' AS date)";
    String tree = Render.tree(TypedFilter.of(where(condition)).tree());
    assertThat(encoded(condition))
        .satisfiesAnyOf(
            argument -> assertThat(argument).isEqualTo(MAYBE),
            argument -> assertThat(tree.replace("(= dt ", "(EQUALS dt:date ")).isEqualTo(argument));
  }

  @Test
  void aTimestampIsItsWallClockInEveryZone() throws Exception {
    JvmZones.inEach(
        zone ->
            assertThat(encoded("ts = TIMESTAMP '2021-03-14 02:30:00.123456789'"))
                .as("a time that Los Angeles does not have")
                .isEqualTo("(EQUALS ts:timestamp 1615689000s+123456789ns:timestamp)"));
  }

  @Test
  void hundredsOfTermsKeepTheirLeavesAlthoughTheyHaveNoNormalForm() {
    StringBuilder condition = new StringBuilder("(i = 0 AND j = 0)");
    for (int i = 1; i < 300; i++) {
      condition.append(" OR (i = ").append(i).append(" AND j = ").append(i).append(")");
    }
    assertThat(argument(where(condition.toString())).getLeaves())
        .as("not Hive's CNF, which gives up here")
        .hasSize(600);
  }

  @Test
  void aRepeatedTermIsOneLeaf() {
    SearchArgument argument = argument(where("i = 1 OR (i = 1 AND j = 2)"));
    assertThat(argument.getLeaves()).hasSize(2);
    assertThat(Render.searchArgument(argument))
        .isEqualTo("(OR (EQUALS i:int 1:int) (AND (EQUALS i:int 1:int) (EQUALS j:int 2:int)))");
  }
}
