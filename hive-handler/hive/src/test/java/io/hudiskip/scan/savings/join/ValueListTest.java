// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.junit.jupiter.api.Test;

class ValueListTest {
  @Test
  void sortsValuesAndNamesEachOnce() {
    assertThat(text(TypeInfoFactory.longTypeInfo, 5L, -3L, 5L, 0L)).hasValue("c in (-3, 0, 5)");
    assertThat(text(TypeInfoFactory.byteTypeInfo, (byte) -1, (byte) 1)).hasValue("c in (-1, 1)");
    assertThat(text(TypeInfoFactory.stringTypeInfo, "b", "a", "a", ""))
        .hasValue("c in ('', 'a', 'b')");
    assertThat(text(TypeInfoFactory.stringTypeInfo, "\uD83D\uDE00", "\uFF5E", "z"))
        .as("in the order of UTF-8")
        .hasValue("c in ('z', '\uFF5E', '\uD83D\uDE00')");
    assertThat(text(TypeInfoFactory.dateTypeInfo, Date.of(2024, 1, 2), Date.of(1969, 12, 31)))
        .hasValue("c in ('1969-12-31', '2024-01-02')");
  }

  @Test
  void noValueMeansNoFile() {
    Optional<ValueList> empty = list(TypeInfoFactory.longTypeInfo);
    assertThat(empty.get().leaf().operator()).isEqualTo(Operator.NEVER);
    assertThat(empty.get().count()).isZero();
    assertThat(list(TypeInfoFactory.longTypeInfo, (Object) null).get().leaf().operator())
        .as("NULL equals nothing")
        .isEqualTo(Operator.NEVER);
  }

  @Test
  void ignoresNullAmongOthers() {
    assertThat(text(TypeInfoFactory.longTypeInfo, null, 4L)).hasValue("c in (4)");
  }

  @Test
  void aStringThatLostBytesDecidesNothing() {
    assertThat(list(TypeInfoFactory.stringTypeInfo, "a", "b\uFFFD")).isEmpty();
    assertThat(list(TypeInfoFactory.stringTypeInfo, "a", "\uD800")).isEmpty();
  }

  @Test
  void anotherTypeDecidesNothing() {
    assertThat(list(TypeInfoFactory.longTypeInfo, 1L, "2")).isEmpty();
    assertThat(list(TypeInfoFactory.dateTypeInfo, 1L)).isEmpty();
    assertThat(list(TypeInfoFactory.stringTypeInfo, 1L)).isEmpty();
    assertThat(list(TypeInfoFactory.doubleTypeInfo, 1.0)).isEmpty();
    assertThat(list(TypeInfoFactory.timestampTypeInfo)).isEmpty();
    assertThat(list(TypeInfoFactory.getVarcharTypeInfo(5), "a")).isEmpty();
    assertThat(list(TypeInfoFactory.getCharTypeInfo(5))).isEmpty();
    assertThat(list(TypeInfoFactory.getDecimalTypeInfo(10, 2))).isEmpty();
  }

  @Test
  void takesAHundredThousandValues() {
    List<ExprNodeDesc> numbers = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      numbers.add(new ExprNodeConstantDesc(TypeInfoFactory.longTypeInfo, i * 7919L % 1_000_003));
    }
    List<ExprNodeDesc> strings =
        numbers.stream()
            .map(number -> "key-" + ((ExprNodeConstantDesc) number).getValue())
            .map(text -> new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, text))
            .collect(Collectors.toList());
    assertThat(count(TypeInfoFactory.longTypeInfo, numbers)).isEqualTo(100_000);
    assertThat(count(TypeInfoFactory.stringTypeInfo, strings)).isEqualTo(100_000);
  }

  private static int count(PrimitiveTypeInfo type, List<ExprNodeDesc> values) {
    return ValueList.of(column(type), values).get().count();
  }

  private static Optional<String> text(PrimitiveTypeInfo type, Object... values) {
    return list(type, values)
        .map(ValueList::leaf)
        .map(leaf -> new HudiExpression(new byte[0], Collections.singletonList(leaf)).toString());
  }

  private static Optional<ValueList> list(PrimitiveTypeInfo type, Object... values) {
    List<ExprNodeDesc> constants =
        Arrays.stream(values)
            .map(value -> new ExprNodeConstantDesc(type, value))
            .collect(Collectors.toList());
    return ValueList.of(column(type), constants);
  }

  private static ExprNodeColumnDesc column(PrimitiveTypeInfo type) {
    return new ExprNodeColumnDesc(type, "c", "t", false);
  }
}
