// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.compile.filter.HiveFilters.column;
import static io.hudiskip.compile.filter.HiveFilters.serialized;
import static io.hudiskip.compile.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.TermEvaluator.Outcome;
import io.hudiskip.compile.expression.TermEvaluator.Value;
import io.hudiskip.compile.filter.HiveFilters;
import io.hudiskip.compile.request.Render;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.conformance.JsonValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.MapredContext;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class HiveTermEvaluatorTest {
  private static final ExprNodeDesc I = column("i");

  private static Value value(String assignment) {
    String[] parts = assignment.split("=", 2);
    HiveType type = JsonValues.type(type(parts[0]).getTypeName());
    if (parts[1].equals("NULL")) {
      return new Value(parts[0], type, null);
    }
    JsonNode value = parts[1].equals("true") ? BooleanNode.TRUE : TextNode.valueOf(parts[1]);
    return new Value(parts[0], type, JsonValues.encode(type, value));
  }

  private static TypeInfo type(String column) {
    return column.startsWith("st.")
        ? ((StructTypeInfo) HiveFilters.type("st")).getStructFieldTypeInfo(column.substring(3))
        : HiveFilters.type(column);
  }

  static List<Value> row(String assignments) {
    List<Value> row = new ArrayList<>();
    for (String assignment : assignments.split(";", -1)) {
      row.add(value(assignment));
    }
    return row;
  }

  private static Optional<Outcome> evaluate(ExprNodeDesc term, String row) {
    return evaluate(HiveFilters.settings(), term, row(row));
  }

  private static Optional<Outcome> evaluate(String term, Value value) {
    return evaluate(HiveFilters.settings(), where(term), Collections.singletonList(value));
  }

  private static Optional<Outcome> evaluate(HiveConf conf, ExprNodeDesc term, List<Value> row) {
    TypedFilter filter = TypedFilter.of(term);
    return new HiveTermEvaluator(conf, filter).evaluate(Render.rootTerm(filter), row);
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "s like '%b%' | s=abc | TRUE",
        "s like 'a_' | s=abc | FALSE",
        "s not like '%b%' | s=abc | FALSE",
        "s rlike 'b.$' | s=abc | TRUE",
        "s rlike '^b' | s=abc | FALSE",
        "length(s) = 3 | s=äöü | TRUE",
        "upper(s) = 'ABC' | s=abc | TRUE",
        "concat(s, '-', i) = 'abc-5' | s=abc;i=5 | TRUE",
        "substr(s, 2) in ('bc', 'd') | s=abc | TRUE",
        "case when i > 3 then 'x' else s end = 'x' | i=4;s=abc | TRUE",
        "case i when 3 then true end | i=3 | TRUE",
        "case i when 3 then true end | i=4 | NULL",
        "if(i > 3, s, null) = 'abc' | i=1;s=abc | NULL",
        "coalesce(nullif(i, 5), 7) = 7 | i=5 | TRUE",
        "i < j | i=1;j=2 | TRUE",
        "i = bi | i=1;bi=2 | FALSE",
        "i + 1 > j | i=1;j=2 | FALSE",
        "i / 0 > 1 | i=1 | NULL",
        "i div 2 = 3 | i=7 | TRUE",
        "pmod(i, 3) = 2 | i=-7 | TRUE",
        "m + 0.01 = 1.51 | m=1.5 | TRUE",
        "cast(m as int) = 1 | m=1.99 | TRUE",
        "m > d | m=1.5;d=1.25 | TRUE",
        "s = i | s=05;i=5 | TRUE",
        "s > i | s=x;i=5 | NULL",
        "cast(s as date) > dt | s=2021-02-03;dt=2021-02-02 | TRUE",
        "cast(s as date) > dt | s=junk;dt=2021-02-02 | NULL",
        "cast(s as timestamp) > timestamp '2021-02-02 10:00:00' | s=2021-02-02 11:00:00 | TRUE",
        "not (year(dt) = 2021 and month(dt) = 3) | dt=2021-02-02 | TRUE",
        "year(dt) = 2021 or month(dt) = 3 | dt=2020-02-02 | FALSE",
        "date_add(dt, i) = date '2021-03-01' | dt=2021-02-27;i=2 | TRUE",
        "last_day(dt) = '2021-02-28' | dt=2021-02-27 | TRUE",
        "v = 'abcde' | v=abcdefgh | TRUE",
        "length(v) = 5 | v=abcdefgh | TRUE",
        "c = 'ab' | c=ab | TRUE",
        "c = 'ab' | c=ab   | TRUE",
        "c like 'ab' | c=ab | TRUE",
        "b | b=true | TRUE",
        "not b | b=true | FALSE",
        "i not between 1 and 3 | i=5 | TRUE",
        "(i, s) in ((1, 'a'), (2, 'b')) | i=2;s=b | TRUE",
        "(i, s) in ((1, 'a'), (2, 'b')) | i=2;s=a | FALSE",
        "st.x + 1 = 5 | st.x=4 | TRUE",
        "concat(st.y, st.x) = 'a4' | st.y=a;st.x=4 | TRUE",
        "isnull(i) | i=5 | FALSE",
        "isnull(i) | i=NULL | TRUE",
        "s like '%b' | s=NULL | NULL",
        "coalesce(s, 'b') like '%b' | s=NULL | TRUE",
        "i % 10 = 3 or s = 'a' | i=NULL;s=a | TRUE",
        "i % 10 = 3 | i=NULL | NULL",
        "pmod(i, 10) = 7 | i=-3 | TRUE",
        "dayofweek(dt) = 3 | dt=2021-02-02 | TRUE",
        "replace(s, '-', '') = 'ab' | s=a-b | TRUE",
        "s not like '%b' | s=ab | FALSE",
        "md5(s) = '900150983cd24fb0d6963f7d28e17f72' | s=abc | TRUE",
        "f > 0.5 | f=0.75 | TRUE",
        "sqrt(d) = 1.5D | d=2.25 | TRUE",
      })
  void aTermHasTheOutcomeThatItHasInEveryRow(String condition, String row, Outcome outcome) {
    assertThat(evaluate(where(condition), row)).contains(outcome);
    ExprNodeDesc serialized = serialized(call(new GenericUDFOPNot(), where(condition)));
    assertThat(evaluate(serialized.getChildren().get(0), row))
        .as("after Hive's serialization")
        .contains(outcome);
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // What row mode and vectorised mode evaluate differently.
        "i + 1 > 0 | i=2147483647",
        "cast(bi as int) > 0 | bi=2147483648",
        "ti + ti > 0 | ti=100",
        "power(d, 0.5) > 1D | d=-1",
        "not (power(d, 0.5) > 1D) | d=-1",
        // Hive 4.0.1's TruncDateFromDate treats days as milliseconds.
        "trunc(dt, 'MM') = '2021-02-01' | dt=2021-02-27",
        "trunc(dt, 'MM') = '1970-01-01' | dt=2021-02-27",
        // What depends on more than the values.
        "unix_timestamp(s) > 5 | s=2021-02-03 04:05:06",
        "unix_timestamp(dt) > 5 | dt=2021-02-03",
        "to_unix_timestamp(s, 'yyyy') > 5 | s=2021",
        "from_unixtime(bi) > '2021' | bi=1600000000",
        "date_format(dt, 'yyyy') = '2021' | dt=2021-02-03",
        "from_utc_timestamp(cast(s as timestamp), 'PST') > '2021' | s=2021-02-03",
        "format_number(i, 0) = '5' | i=5",
        "reflect('java.lang.System', 'getProperty', s) = '5' | s=user.timezone",
        "dt < current_date | dt=2021-02-03",
        "rand() < i | i=5",
        "tz > cast(s as timestamp) | s=2021-02-03",
      })
  void thereIsNoOutcomeWhereModesDisagreeOrMoreThanTheValuesDecides(String condition, String row) {
    assertThat(evaluate(where(condition), row)).isEmpty();
  }

  @Test
  void aTermOfAStoredTimestampIsNotEvaluated() {
    Value time =
        new Value("ts", HiveType.parse("timestamp").get(), ValueEncoding.encodeTimestamp(0));
    assertThat(evaluate("hour(ts) = 0", time)).as("the reader's zone shifts it").isEmpty();
  }

  @Test
  void rlikeIsNotEvaluatedWhenTasksUseAnotherEngine() {
    HiveConf conf = HiveFilters.settings();
    conf.setBoolVar(HiveConf.ConfVars.HIVE_USE_GOOGLE_REGEX_ENGINE, true);
    assertThat(evaluate(conf, where("s rlike 'b'"), row("s=abc"))).isEmpty();
  }

  @Test
  void aTermThatReadsAnythingButTheRowIsNotEvaluated() {
    assertThat(evaluate(where("i < j"), "i=1")).as("j is not there").isEmpty();
    assertThat(evaluate(where("st.x = 1 or st is null"), "st.x=1")).isEmpty();
    Value narrow = new Value("i", HiveType.parse("bigint").get(), encodeInteger(5));
    assertThat(evaluate("i % 2 = 1", narrow)).as("i is read as another type").isEmpty();
  }

  @Test
  void aValueThatDoesNotFitItsTypeIsNotEvaluated() {
    assertThat(evaluate(where("i % 2 = 1"), "i=3000000001")).isEmpty();
    assertThat(evaluate(where("m > 1"), "m=1.555")).isEmpty();
    assertThat(evaluate(where("m > 1"), "m=123456789.5")).isEmpty();
    Value broken = new Value("s", HiveType.parse("string").get(), new byte[] {(byte) 0xC3});
    assertThat(evaluate("length(s) = 1", broken)).isEmpty();
  }

  @Test
  void oneEvaluatorAnswersForManyRowsAndTerms() {
    TypedFilter filter = TypedFilter.of(where("s like '%b%' and i % 2 = 1"));
    HiveTermEvaluator evaluator = new HiveTermEvaluator(HiveFilters.settings(), filter);
    int like = 2;
    int odd = Render.rootTerm(filter) - 1;
    assertThat(evaluator.evaluate(like, row("s=abc"))).contains(Outcome.TRUE);
    assertThat(evaluator.evaluate(odd, row("i=4"))).contains(Outcome.FALSE);
    assertThat(evaluator.evaluate(like, row("s=xyz"))).contains(Outcome.FALSE);
    assertThat(evaluator.evaluate(odd, row("i=3"))).contains(Outcome.TRUE);
    assertThat(evaluator.evaluate(like, row("s=b"))).contains(Outcome.TRUE);
    assertThat(evaluator.evaluate(0, row("s=b"))).as("a term that is no condition").isEmpty();
    assertThat(evaluator.evaluate(odd + 1, row("s=b;i=3")))
        .as("the AND of the conjuncts, some of which may have been dropped")
        .isEmpty();
    assertThat(evaluator.evaluate(99, row("s=b"))).isEmpty();
    assertThat(evaluator.evaluate(-1, row("s=b"))).isEmpty();
  }

  @Test
  void deterministicUserFunctionsAreEvaluated() {
    assertThat(evaluate(call(new Even(), I), "i=4")).contains(Outcome.TRUE);
    assertThat(evaluate(call(new Even(), I), "i=5")).contains(Outcome.FALSE);
    assertThat(evaluate(call(new Even(), I), "i=0"))
        .as("it throws for 0, which must not fail the query")
        .isEmpty();
    assertThat(evaluate(call(new Configured(), I), "i=4"))
        .as("it needs a task's configuration")
        .isEmpty();
    assertThat(evaluate(call(new WithFiles(), I), "i=4"))
        .as("it needs files shipped to tasks")
        .isEmpty();
    assertThat(evaluate(call(new Stateful(), I), "i=4")).isEmpty();
  }

  @Test
  void theTermIsNotChanged() {
    ExprNodeDesc term = where("not (i between 1 and 3) or st.x = 3");
    String before = term.getExprString();
    assertThat(evaluate(term, "i=5;st.x=1")).contains(Outcome.TRUE);
    assertThat(term.getExprString()).isEqualTo(before);
  }

  /** Whether a number is even; throws for 0. Its name is misleading. */
  public static class Even extends GenericUDF {
    private transient PrimitiveObjectInspector input;

    @Override
    public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
      input = (PrimitiveObjectInspector) arguments[0];
      return PrimitiveObjectInspectorFactory.javaBooleanObjectInspector;
    }

    @Override
    public Object evaluate(DeferredObject[] arguments) throws HiveException {
      int value = (Integer) input.getPrimitiveJavaObject(arguments[0].get());
      if (value == 0) {
        throw new IllegalStateException("0 is not understood");
      }
      return value % 2 == 0;
    }

    @Override
    public String getDisplayString(String[] children) {
      return "year()";
    }
  }

  /** A function with a setting. */
  public static final class Configured extends Even {
    @Override
    public void configure(MapredContext context) {}
  }

  /** A function with a dictionary. */
  public static final class WithFiles extends Even {
    @Override
    public String[] getRequiredFiles() {
      return new String[] {"words"};
    }
  }

  /** A function that remembers. */
  @UDFType(stateful = true)
  public static final class Stateful extends Even {}
}
