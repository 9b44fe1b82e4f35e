// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import static io.hudiskip.compile.filter.HiveFilters.and;
import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.compile.filter.HiveFilters.column;
import static io.hudiskip.compile.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.parquet.read.ParquetFilterPredicateConverter;
import org.apache.hadoop.hive.ql.io.sarg.ConvertAstToSearchArg;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowGroupFilterGateTest {
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "i = 1",
        "ti IN (1Y, 2Y) AND si <> 3S",
        "bi BETWEEN -5 AND 2147483647",
        "NOT (i <=> 1)",
        "s = 'a' AND s <> '\\u1F600'",
        "s < 'zebra'",
        "b AND NOT (b = false)",
        "dt >= DATE '1583-01-01'",
        "d IS NOT NULL AND c IS NULL AND v IS NOT NULL",
        "year(dt) = 2021",
        "i = j",
        "st.x = 3",
        "i + 1 < 5 OR s LIKE 'a%'",
        "(i, s) IN (struct(1,'a'), struct(2,'b'))",
      })
  void noObjectionWhereHivesRowGroupFilterIsSound(String condition) {
    assertThat(RowGroupFilterGate.objection(where(condition))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i < 1.5 | types do not fit",
        "s = 5 | types do not fit",
        "ts BETWEEN '2020-01-01' AND '2021-01-01' | types do not fit",
        "j = 2 AND (s = 'a' OR NOT (i <> 1.5)) | types do not fit",
        "i = 3000000000 | 32 bits",
        "bi > 3000000000 | 32 bits",
        "i IN (1, NULL) | with NULL",
        "f > 0.1 | not safe",
        "d <> 1D | not safe",
        "m = 1.5 | not safe",
        "c = 'ab' | not safe",
        "v = 'ab' | not safe",
        "ts = TIMESTAMP '2021-03-14 02:30:00' | not safe",
        "tz = TIMESTAMP '2021-03-14 02:30:00' | types do not fit",
        "dt > DATE '1582-12-31' | before 1583",
        "b < true | no order",
      })
  void objectsWhereHivesRowGroupFilterCouldLoseRows(String condition, String reason) {
    assertThat(RowGroupFilterGate.objection(where(condition)))
        .hasValueSatisfying(objection -> assertThat(objection).contains(reason));
  }

  @Test
  void objectsToTheOrderOfTextThatUtf8AndUtf16SortDifferently() {
    for (String text : new String[] {"\uE000", "a\uFF5E", "\uD83D\uDE00"}) {
      ExprNodeDesc constant = new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, text);
      assertThat(
              RowGroupFilterGate.objection(call(new GenericUDFOPLessThan(), column("s"), constant)))
          .as("s < '%s'", text)
          .isPresent();
      assertThat(RowGroupFilterGate.objection(call(new GenericUDFOPEqual(), column("s"), constant)))
          .as("s = '%s'", text)
          .isEmpty();
    }
  }

  @Test
  void objectsToAValueThatIsKnownOnlyAtRunTime() {
    ExprNodeDesc dynamic =
        new ExprNodeDynamicValueDesc(new DynamicValue("RS_7_min", TypeInfoFactory.intTypeInfo));
    assertThat(
            RowGroupFilterGate.objection(
                and(where("j = 1"), call(new GenericUDFOPEqual(), column("i"), dynamic))))
        .isPresent();
  }

  @Test
  void objectsToWhatItCannotRead() {
    ExprNodeDesc deep = where("i = 0");
    for (int n = 0; n < 100_000; n++) {
      deep = call(new GenericUDFOPNot(), deep);
    }
    assertThat(RowGroupFilterGate.objection(deep)).isPresent();
    assertThat(RowGroupFilterGate.objection(null)).isPresent();
  }

  @Test
  void stockHiveCutsALongLiteralForAFileFromBeforeAWidening() {
    assertThat(
            ParquetFilterPredicateConverter.toFilterPredicate(
                    ConvertAstToSearchArg.create(
                        new Configuration(false),
                        (ExprNodeGenericFuncDesc) where("bi < 3000000000")),
                    MessageTypeParser.parseMessageType("message t { optional int32 bi; }"),
                    Collections.singletonMap("bi", TypeInfoFactory.longTypeInfo))
                .toString())
        .as("why literals of more than 32 bits are rejected: every row of such a file matches")
        .isEqualTo("lt(bi, -1294967296)");
  }
}
