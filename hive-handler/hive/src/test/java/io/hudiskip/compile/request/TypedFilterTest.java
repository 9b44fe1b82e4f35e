// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static io.hudiskip.compile.filter.HiveFilters.and;
import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.compile.filter.HiveFilters.column;
import static io.hudiskip.compile.filter.HiveFilters.or;
import static io.hudiskip.compile.filter.HiveFilters.serialized;
import static io.hudiskip.compile.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.term.HiveTermEvaluatorTest;
import io.hudiskip.conformance.Hex;
import io.hudiskip.conformance.JvmZones;
import io.hudiskip.thrift.FilterNodeKind;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.stream.Collectors;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicListDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInBloomFilter;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMacro;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedFilterTest {
  private static final ExprNodeDesc I = column("i");

  /** What Tez adds for a join: {@code i IN (RS[7])}. */
  private static final ExprNodeDesc JOIN =
      call(
          new GenericUDFIn(), I, new ExprNodeDynamicListDesc(TypeInfoFactory.intTypeInfo, null, 0));

  /** A function whose result changes with each call. */
  @UDFType(deterministic = false)
  public static final class Random extends HiveTermEvaluatorTest.Even {}

  /** A function of the old kind. */
  @SuppressWarnings("deprecation")
  public static final class Plain extends UDF {
    public Integer evaluate(Integer value) {
      return value;
    }
  }

  private static String tree(ExprNodeDesc filter) {
    return Render.tree(TypedFilter.of(filter).tree());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1 < i | (< 1:int i)",
        "i >= bi | (>= i bi)",
        "i < 1.5 | (< i 1.5:decimal(2,1))",
        "s = 5 | (= s 5:int)",
        "i IN (1, NULL) | (in i 1:int NULL:int)",
        "NOT (s LIKE 'a%') | (not (like s 'a%':string))",
        "s IS NULL OR b | (or (isnull s) b)",
        "c = 'ab' | (= c 'ab':char(5))",
        "v = 'ab ' | (= v 'ab ':varchar(5))",
        "m = 1.50 | (= m 1.5:decimal(2,1))",
        "m < -12.25 | (< m -12.25:decimal(4,2))",
        "dt = DATE '2021-03-04' | (= dt day 18690:date)",
        "dt = DATE '1582-10-10' | (= dt day -141432:date)",
        "dt = DATE '0001-01-01' | (= dt day -719162:date)",
        "ts > TIMESTAMP '1969-12-31 23:59:59.999999999' | (> ts -1s+999999999ns:timestamp)",
        "f = 0.5 | (= f 0.5:float)",
        "d = 0.5D | (= d 0.5:double)",
        "cast(i AS bigint) = 1 | (= (cast:bigint i) 1:int)",
        "i * -j = 4 | (= (* i (negative j)) 4:int)",
        "st.x = 3 | (= (.x st) 3:int)",
        "rand() < 0.5 | (< <function rand is not deterministic> 0.5:decimal(1,1))",
        "bin = cast('a' AS binary) | (= bin (cast:binary 'a':string))",
        "arr.x IS NULL | (isnull <field of an array of structs>)",
        "dt = current_date | (= dt <function current_date is not deterministic>)",
      })
  void aConditionIsReadWithTheTypesOfItsLiterals(String condition, String expected) {
    assertThat(tree(where(condition))).isEqualTo(expected);
  }

  @Test
  void nestedConjunctionsAndDisjunctionsAreFlattenedInOrder() {
    ExprNodeDesc nested =
        and(
            and(where("i = 1"), and(where("i = 2"))),
            or(or(where("i = 3"), or(where("i = 4"), where("i = 5")))),
            or(and(where("i = 6"), and(where("i = 7"), where("i = 8"))), where("i = 9")));
    assertThat(tree(nested))
        .isEqualTo(
            "(and (= i 1:int) (= i 2:int) (or (= i 3:int) (= i 4:int) (= i 5:int))"
                + " (or (and (= i 6:int) (= i 7:int) (= i 8:int)) (= i 9:int)))");
  }

  @Test
  void whatTezAddsForJoinsDoesNotChangeTheFilter() {
    ExprNodeDesc plain = where("i = 1 AND s = 'a'");
    ExprNodeDesc low =
        new ExprNodeDynamicValueDesc(new DynamicValue("RS_7_min", TypeInfoFactory.intTypeInfo));
    ExprNodeDesc high =
        new ExprNodeDynamicValueDesc(new DynamicValue("RS_7_max", TypeInfoFactory.intTypeInfo));
    ExprNodeDesc never = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, false);
    ExprNodeDesc semijoin =
        and(
            call(new GenericUDFBetween(), never, I, low, high),
            call(new GenericUDFInBloomFilter(), I, I));

    byte[] fingerprint = TypedFilter.of(plain).fingerprint();
    assertThat(TypedFilter.of(and(JOIN, plain)).fingerprint())
        .as("with (i) IN (RS[7])")
        .isEqualTo(fingerprint);
    assertThat(TypedFilter.of(and(plain, and(semijoin))).fingerprint())
        .as("with a semijoin's bounds and Bloom filter")
        .isEqualTo(fingerprint);
    assertThat(TypedFilter.of(or(and(plain, JOIN))).fingerprint())
        .as("below an OR of one operand")
        .isEqualTo(fingerprint);
    assertThat(TypedFilter.of(plain).dynamicTerms()).isZero();
    assertThat(TypedFilter.of(and(plain, JOIN, and(semijoin))).dynamicTerms())
        .as("each dropped conjunct is counted")
        .isEqualTo(3);
  }

  @Test
  void aConjunctWithADynamicTermIsDroppedWhole() {
    assertThat(tree(and(where("j = 2"), or(where("i = 1"), JOIN))))
        .as("the filter only gets weaker")
        .isEqualTo("(= j 2:int)");
    assertThat(TypedFilter.of(JOIN).dynamicTerms()).isEqualTo(1);
  }

  @Test
  void aFunctionOfAUserIsNamedByItsClass() {
    assertThat(tree(call(new HiveTermEvaluatorTest.Even(), I)))
        .as("a function that displays itself as Hive's year()")
        .isEqualTo("(class:io.hudiskip.compile.term.HiveTermEvaluatorTest$Even i)");
    assertThat(tree(call(new GenericUDFBridge("year", false, Plain.class.getName()), I)))
        .as("a function that is registered as year")
        .isEqualTo("(class:io.hudiskip.compile.request.TypedFilterTest$Plain i)");
  }

  @Test
  void whatTheTreeCannotExpressIsOpaque() {
    assertThat(tree(call(new Random(), I)))
        .isEqualTo(
            "<function class:io.hudiskip.compile.request.TypedFilterTest$Random is not deterministic>");
    assertThat(tree(call(new HiveTermEvaluatorTest.Stateful(), I)))
        .isEqualTo(
            "<function class:io.hudiskip.compile.term.HiveTermEvaluatorTest$Stateful is not"
                + " deterministic>");
    GenericUDF macro =
        new GenericUDFMacro(
            "year", I, Collections.singletonList("x"), Collections.singletonList(I.getTypeInfo()));
    assertThat(tree(call(macro, I))).as("all macros are of one class").isEqualTo("<macro>");
    ExprNodeDesc virtual =
        new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, "INPUT__FILE__NAME", "t", true);
    assertThat(tree(equal(virtual, virtual))).contains("<virtual");
    ExprNodeDesc dotted = new ExprNodeColumnDesc(TypeInfoFactory.intTypeInfo, "st.x", "t", false);
    assertThat(tree(equal(dotted, I))).contains("<column with a dot");
    ExprNodeDesc half = new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, "a\uD83D");
    assertThat(tree(equal(half, I))).as("no Unicode").isEqualTo("(= <constant of type string> i)");
    ExprNodeDesc odd = new ExprNodeConstantDesc(TypeInfoFactory.intTypeInfo, "1");
    assertThat(tree(equal(I, odd)))
        .as("a value of another class")
        .isEqualTo("(= i <constant of type int>)");
  }

  @ParameterizedTest
  @CsvSource({
    "1.25, '(= m <constant of type decimal(3,1)>)'",
    "125, '(= m <constant of type decimal(3,1)>)'",
    "12.5, '(= m 12.5:decimal(3,1))'",
    "-1.50, '(= m -1.5:decimal(3,1))'",
  })
  void aDecimalThatDoesNotFitItsTypeIsOpaque(String value, String expected) {
    ExprNodeDesc constant =
        new ExprNodeConstantDesc(
            TypeInfoFactory.getDecimalTypeInfo(3, 1), HiveDecimal.create(value));
    assertThat(tree(equal(column("m"), constant))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i = 1 AND s = 'it\\'s' AND m > 1.50 AND dt >= DATE '1582-10-04'",
        "ts BETWEEN TIMESTAMP '1500-01-01 00:00:00.000000001' AND TIMESTAMP '2021-03-28 02:30:00'",
        "c = 'ab' OR v IN ('a ', 'b') OR s = 'x\\' and z = \\'1'",
        "f > 0.1 AND d <> 1e300 AND d > -0.0",
        "year(dt) = 2021 AND substr(s, 1, 2) = 'ab' AND cast(s AS decimal(5,1)) = 1.5",
        "(i, s) IN (struct(1,'a'), struct(2,'b')) AND st.y = '\\u1F600'",
        "i IN (1, NULL) AND NOT (b <=> NULL)",
      })
  void aFilterSurvivesHivesSerializationWithTheSameFingerprint(String condition) {
    ExprNodeDesc filter = where(condition);
    assertThat(TypedFilter.of(serialized(filter)).tree()).isEqualTo(TypedFilter.of(filter).tree());
    assertThat(TypedFilter.of(serialized(filter)).fingerprint())
        .isEqualTo(TypedFilter.of(filter).fingerprint());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i = 1 | i = 2",
        "i = 1 | j = 1",
        "i = 1 | bi = 1",
        "i = 1 | i <=> 1",
        "i = 1 AND j = 1 | i = 1 OR j = 1",
        "s = '1' | s = 1",
        "s = 'x\\' and z = \\'1' | s = 'x' and i = 1",
        "ts = TIMESTAMP '2021-01-01 00:00:00' | ts = TIMESTAMP '2021-01-01 00:00:00.000000001'",
        "d = 0.0D | d = -0.0D",
        "i BETWEEN 1 AND 2 | i NOT BETWEEN 1 AND 2",
        "cast(i AS string) = '1' | cast(i AS varchar(1)) = '1'",
      })
  void differentFiltersHaveDifferentFingerprints(String one, String other) {
    assertThat(TypedFilter.of(where(one)).fingerprint())
        .isNotEqualTo(TypedFilter.of(where(other)).fingerprint());
  }

  @Test
  void theFingerprintIsTheHashOfTheTreesCompactBytes() throws Exception {
    TypedFilter filter = TypedFilter.of(where("i = 5 AND s = 'a'"));
    byte[] bytes = new TSerializer(new TCompactProtocol.Factory()).serialize(filter.tree());
    assertThat(filter.fingerprint())
        .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes))
        .hasSize(32);
    assertThat(Hex.encode(filter.fingerprint()))
        .as("pinned: another JVM, such as the Tez AM's, must compute the same")
        .isEqualTo("31bc37053d130f5de03d73b21660c91968db592d477c78494063708d5b44e556");
  }

  @Test
  void theZoneOfTheJvmIsNotPartOfAFilter() throws Exception {
    ExprNodeDesc filter =
        where("ts > TIMESTAMP '2021-03-14 02:30:00.5' AND dt = DATE '1582-10-10'");
    JvmZones.inEach(
        zone ->
            assertThat(tree(serialized(filter)))
                .isEqualTo(
                    "(and (> ts 1615689000s+500000000ns:timestamp) (= dt day -141432:date))"));
  }

  @Test
  void thousandsOfChainedTermsAreReadWithoutRecursion() {
    assertThat(TypedFilter.of(chain(5_001)).tree().getNodes()).hasSize(3 * 5_001 + 1);
  }

  @Test
  void anUnusableFilterIsEmptyWithAReason() {
    assertThat(emptyReason(null)).contains("no filter");
    assertThat(emptyReason(JOIN)).contains("run time");
    assertThat(emptyReason(call(new GenericUDFOPNot(), JOIN))).contains("run time");
    assertThat(emptyReason(chain(105_000))).contains("more than");
    ExprNodeDesc deep = I;
    for (int i = 0; i < 100_000; i++) {
      deep = call(new GenericUDFOPNot(), deep);
    }
    assertThat(emptyReason(deep)).isEqualTo("the filter is nested deeper than 100 levels");
    ExprNodeDesc shared = equal(I, I);
    for (int i = 0; i < 60; i++) {
      shared = i % 2 == 0 ? and(shared, shared) : or(shared, shared);
    }
    assertThat(emptyReason(shared)).as("a small graph that is a huge tree").contains("more than");
    ExprNodeDesc big =
        new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, StringUtils.repeat('x', 3 << 20));
    assertThat(emptyReason(equal(big, big))).contains("bytes");
    assertThat(TypedFilter.of(where("i = 1")).emptyReason()).isEmpty();
  }

  private static String emptyReason(ExprNodeDesc filter) {
    TypedFilter typed = TypedFilter.of(filter);
    assertThat(typed.isEmpty()).isTrue();
    return typed.emptyReason();
  }

  private static ExprNodeDesc chain(int terms) {
    ExprNodeDesc chain = equal(I, I);
    for (int i = 1; i < terms; i++) {
      chain = or(chain, equal(I, I));
    }
    return chain;
  }

  private static ExprNodeGenericFuncDesc equal(ExprNodeDesc left, ExprNodeDesc right) {
    return call(new GenericUDFOPEqual(), left, right);
  }

  @Test
  void eachNodeOfTheTreeHasHivesOwnNodeWithItsValue() {
    ExprNodeDesc like = where("s like '%b%'");
    ExprNodeDesc outside = where("i between 1 and 2").clone();
    outside.getChildren().set(0, new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, true));
    TypedFilter filter = TypedFilter.of(and(like, outside));
    assertThat(Render.tree(filter.tree()))
        .isEqualTo("(and (like s '%b%':string) (not (between i 1:int 2:int)))");
    assertThat(filter.source(2)).as("like").containsSame(like);
    assertThat(filter.source(6)).as("the between: Hive's node is that of its negation").isEmpty();
    assertThat(filter.source(7)).as("the not").containsSame(outside);
    assertThat(filter.source(8)).as("the conjuncts, of which some may be missing").isEmpty();
    assertThat(filter.source(9)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i IN (1, 2, 3) | COLUMN LITERAL_LIST FUNCTION",
        "s IN ('a', 'b') | COLUMN LITERAL_LIST FUNCTION",
        "d IN (1D, 2D) | COLUMN LITERAL_LIST FUNCTION",
        "dt IN (DATE '2021-03-04', DATE '2021-03-05') | COLUMN LITERAL_LIST FUNCTION",
        "i IN (1, 2, NULL, 3) | COLUMN LITERAL_LIST LITERAL LITERAL FUNCTION",
        "1 IN (i, 2, 3) | LITERAL COLUMN LITERAL_LIST FUNCTION",
        "i BETWEEN 1 AND 2 | COLUMN LITERAL LITERAL FUNCTION",
        "m IN (1.50, 2.50) | COLUMN LITERAL LITERAL FUNCTION",
      })
  void neighboursOfOneTypeInAListAreOneNode(String condition, String kinds) {
    assertThat(
            TypedFilter.of(where(condition)).tree().getNodes().stream()
                .map(node -> FilterNodeKind.findByValue(node.getKind()).name())
                .collect(Collectors.joining(" ")))
        .isEqualTo(kinds);
  }

  @Test
  void termsAfterAListHaveTheirOwnHiveNodes() {
    ExprNodeDesc like = where("s like '%b%'");
    ExprNodeDesc list = where("i in (1, 2, NULL, 3)");
    TypedFilter filter = TypedFilter.of(and(list, like));
    assertThat(filter.source(1)).as("1 and 2").isEmpty();
    assertThat(filter.source(2)).as("NULL").isPresent();
    assertThat(filter.source(4)).as("the IN").containsSame(list);
    assertThat(filter.source(7)).as("like").containsSame(like);
  }

  @Test
  void readingAFilterDoesNotChangeIt() {
    ExprNodeDesc filter = where("i = 1 AND (j = 2 AND NOT (s = 'a'))");
    String before = filter.toString();
    TypedFilter.of(filter);
    assertThat(filter).hasToString(before);
  }

  @Test
  void theReturnedFingerprintCannotChangeTheFilter() {
    TypedFilter filter = TypedFilter.of(where("i = 1"));
    filter.fingerprint()[0]++;
    assertThat(filter.fingerprint()).isEqualTo(TypedFilter.of(where("i = 1")).fingerprint());
  }
}
