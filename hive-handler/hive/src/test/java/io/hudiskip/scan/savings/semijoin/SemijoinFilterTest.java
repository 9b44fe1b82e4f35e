// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.scan.savings.join.Plans.constant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.scan.savings.join.Plans;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.NoDynamicValuesException;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.DynamicValueRegistry;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.exec.ObjectCacheFactory;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.tez.ObjectCache;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInBloomFilter;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hive.common.util.BloomKFilter;
import org.apache.tez.runtime.api.ObjectRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SemijoinFilterTest {
  private static final PrimitiveTypeInfo BIGINT = TypeInfoFactory.longTypeInfo;
  private static final PrimitiveTypeInfo STRING = TypeInfoFactory.stringTypeInfo;

  private final Configuration task = new Configuration(false);
  private final Map<String, Object> arrived = new HashMap<>();

  /** The values of a task, in Hive's own cache. */
  @BeforeEach
  void start() throws Exception {
    ObjectCache.setupObjectRegistry(new Registry());
    HiveConf.setVar(task, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE, "tez");
    HiveConf.setVar(task, HiveConf.ConfVars.HIVE_QUERY_ID, "a query");
    task.setBoolean(Utilities.VECTOR_MODE, true);
    ObjectCacheFactory.getCache(task, "a query", false, true)
        .retrieve(DynamicValue.DYNAMIC_VALUE_REGISTRY_CACHE_KEY, () -> new Arrived(arrived));
  }

  @AfterEach
  void end() {
    ObjectCache.close();
    ObjectCache.setupObjectRegistry(null);
    ObjectCache.close();
  }

  /** Tez's own is not on the class path. */
  private static final class Registry implements ObjectRegistry {
    private final Map<String, Object> objects = new HashMap<>();

    @Override
    public Object cacheForVertex(String key, Object value) {
      return objects.put(key, value);
    }

    @Override
    public Object cacheForDAG(String key, Object value) {
      return objects.put(key, value);
    }

    @Override
    public Object cacheForSession(String key, Object value) {
      return objects.put(key, value);
    }

    @Override
    public Object get(String key) {
      return objects.get(key);
    }

    @Override
    public boolean delete(String key) {
      return objects.remove(key) != null;
    }
  }

  private static final class Arrived implements DynamicValueRegistry {
    private final Map<String, Object> values;

    Arrived(Map<String, Object> values) {
      this.values = values;
    }

    @Override
    public Object getValue(String key) {
      if (!values.containsKey(key)) {
        throw new NoDynamicValuesException(key);
      }
      return values.get(key);
    }

    @Override
    public void init(RegistryConf conf) {}
  }

  private void arrive(long least, long greatest, long... keys) throws IOException {
    arrived.put("a_min", new LongWritable(least));
    arrived.put("a_max", new LongWritable(greatest));
    BloomKFilter filter = new BloomKFilter(1_000);
    for (long key : keys) {
      filter.addLong(key);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BloomKFilter.serialize(bytes, filter);
    arrived.put("a_bloom_filter", new BytesWritable(bytes.toByteArray()));
  }

  private static ExprNodeColumnDesc column(PrimitiveTypeInfo type) {
    return new ExprNodeColumnDesc(type, "c", "t", false);
  }

  private static ExprNodeDesc value(String id, PrimitiveTypeInfo type) {
    return new ExprNodeDynamicValueDesc(new DynamicValue(id, type));
  }

  private static ExprNodeDesc between(PrimitiveTypeInfo type) {
    return call(
        new GenericUDFBetween(),
        new ExprNodeConstantDesc(false),
        column(type),
        value("a_min", type),
        value("a_max", type));
  }

  private static ExprNodeDesc inBloomFilter(PrimitiveTypeInfo type) {
    return call(
        new GenericUDFInBloomFilter(),
        column(type),
        value("a_bloom_filter", TypeInfoFactory.binaryTypeInfo));
  }

  private static ExprNodeDesc and(ExprNodeDesc... operands) {
    return call(new GenericUDFOPAnd(), operands);
  }

  private static List<SemijoinFilter> of(ExprNodeDesc predicate) {
    TableScanOperator scan = Plans.scan(null);
    Plans.sink(Plans.filter(scan, predicate), column(BIGINT));
    return SemijoinFilter.of(scan);
  }

  private static SemijoinFilter bigint() {
    return of(and(between(BIGINT), inBloomFilter(BIGINT))).get(0);
  }

  private static FileBounds file(long lower, long upper) {
    return new FileBounds(
        "c", ValueEncoding.encodeInteger(lower), ValueEncoding.encodeInteger(upper));
  }

  private static FileBounds file(String lower, String upper) {
    return new FileBounds(
        "c", ValueEncoding.encodeString(lower), ValueEncoding.encodeString(upper));
  }

  @Test
  void dropsWhatIsOutsideTheBounds() throws IOException {
    arrive(10, 20_000, 10, 20_000);
    SemijoinFilter filter = bigint();
    assertThat(filter.drops(file(1, 9), task)).isTrue();
    assertThat(filter.drops(file(20_001, 30_000), task)).isTrue();
    assertThat(filter.drops(file(1, 10), task)).isFalse();
    assertThat(filter.drops(file(20_000, 30_000), task)).isFalse();
    assertThat(filter.drops(file(Long.MIN_VALUE, Long.MAX_VALUE), task)).isFalse();
  }

  @Test
  void looksUpFewValuesInTheBloomFilter() throws IOException {
    arrive(10, 20_000, 10, 5_000, 20_000);
    SemijoinFilter filter = bigint();
    assertThat(filter.drops(file(4_900, 4_999), task)).isTrue();
    assertThat(filter.drops(file(4_900, 5_000), task)).isFalse();
    assertThat(filter.drops(file(11, 4_999), task)).as("too many to look up").isFalse();
    assertThat(filter.drops(file(-1_000_000, 10), task)).as("10 is a key").isFalse();
    assertThat(filter.drops(file(19_500, 1_000_000), task)).as("20,000 is a key").isFalse();
  }

  @Test
  void looksUpNothingThatHiveLooksUpElsewhere() throws IOException {
    arrive(10, 20_000, 10, 20_000);
    task.setBoolean(Utilities.VECTOR_MODE, false);
    assertThat(bigint().drops(file(4_900, 4_999), task)).isFalse();
  }

  @Test
  void looksUpTheGreatestInteger() throws IOException {
    arrive(10, Long.MAX_VALUE, 10);
    assertThat(bigint().drops(file(Long.MAX_VALUE - 5, Long.MAX_VALUE), task)).isTrue();
  }

  @Test
  void looksUpInTheFilterOfTheSameJoin() throws IOException {
    arrive(10, 100, 10, 100);
    arrived.put("b_min", new LongWritable(20));
    arrived.put("b_max", new LongWritable(60));
    ExprNodeDesc second =
        call(
            new GenericUDFBetween(),
            new ExprNodeConstantDesc(false),
            column(BIGINT),
            value("b_min", BIGINT),
            value("b_max", BIGINT));
    List<SemijoinFilter> filters = of(and(second, between(BIGINT), inBloomFilter(BIGINT)));
    assertThat(filters.get(0).drops(file(30, 40), task)).as("its filter is not there").isFalse();
    assertThat(filters.get(1).drops(file(30, 40), task)).isTrue();
  }

  @Test
  void itsConditionIsWhatHiveAsksOfTheRows() throws Exception {
    ExprNodeDesc notNull = call(new GenericUDFOPNotNull(), column(BIGINT));
    List<SemijoinFilter> filters = of(and(between(BIGINT), notNull, inBloomFilter(BIGINT)));
    arrive(10, 20, 10, 20, 21);
    assertThat(meets(filters, 10L)).isTrue();
    assertThat(meets(filters, 15L)).as("not in the Bloom filter").isFalse();
    assertThat(meets(filters, 21L)).as("only in the Bloom filter").isFalse();
    assertThat(meets(of(between(BIGINT)), 15L)).as("there need not be a Bloom filter").isTrue();
  }

  private boolean meets(List<SemijoinFilter> filters, long value) throws HiveException {
    String condition =
        SerializationUtilities.serializeExpression(SemijoinFilter.condition(filters));
    ExprNodeEvaluator<?> evaluator =
        ExprNodeEvaluatorFactory.get(SerializationUtilities.deserializeExpression(condition), task);
    evaluator.initialize(
        ObjectInspectorFactory.getStandardStructObjectInspector(
            Collections.singletonList("c"),
            Collections.singletonList(PrimitiveObjectInspectorFactory.javaLongObjectInspector)));
    return ((BooleanWritable) evaluator.evaluate(Collections.singletonList(value))).get();
  }

  @Test
  void saysSoIfAValueIsOfAnotherType() {
    arrived.put("a_min", new IntWritable(1));
    arrived.put("a_max", new IntWritable(2));
    assertThatThrownBy(() -> bigint().drops(file(5, 6), task))
        .isInstanceOf(ClassCastException.class);
  }

  @Test
  void dropsEverythingIfThereIsNoKey() {
    arrived.put("a_min", null);
    arrived.put("a_max", null);
    assertThat(bigint().drops(file(1, 2), task)).isTrue();
  }

  @Test
  void dropsNulls() throws IOException {
    arrive(1, 2, 1, 2);
    assertThat(bigint().drops(new FileBounds("c", null, null), task)).isTrue();
  }

  @Test
  void saysSoIfTheValuesHaveNotArrived() {
    assertThatThrownBy(() -> bigint().drops(file(1, 2), task))
        .isInstanceOf(NoDynamicValuesException.class);
  }

  @Test
  void comparesStringsOfAsciiAlone() {
    SemijoinFilter filter = of(between(STRING)).get(0);
    arrived.put("a_min", new Text("b"));
    arrived.put("a_max", new Text("d"));
    assertThat(filter.drops(file("a", "az"), task)).isTrue();
    assertThat(filter.drops(file("da", "é"), task)).isTrue();
    assertThat(filter.drops(file("a", "b"), task)).isFalse();
    assertThat(filter.drops(file("bb", "bb"), task)).as("no Bloom filter is asked").isFalse();
    arrived.put("a_max", new Text("\uD83D\uDE00"));
    assertThat(filter.drops(file("a", "az"), task)).as("two orders of strings differ").isFalse();
  }

  @Test
  void findsThemAmongTheConjunctsOfTheOnlyFilter() {
    ExprNodeDesc notNull = call(new GenericUDFOPNotNull(), column(BIGINT));
    assertThat(of(between(BIGINT))).hasSize(1);
    assertThat(of(and(notNull, between(BIGINT), inBloomFilter(BIGINT)))).hasSize(1);
    assertThat(of(notNull)).isEmpty();
    assertThat(of(inBloomFilter(BIGINT))).as("bounds are needed").isEmpty();
    assertThat(of(call(new GenericUDFOPOr(), notNull, between(BIGINT)))).isEmpty();
    assertThat(of(negated())).isEmpty();
    assertThat(of(withConstants())).as("the filter's own BETWEEN").isEmpty();
    assertThat(of(between(TypeInfoFactory.timestampTypeInfo))).isEmpty();
    ExprNodeColumnDesc inThePath = new ExprNodeColumnDesc(BIGINT, "c", "t", true);
    assertThat(
            of(
                call(
                    new GenericUDFBetween(),
                    new ExprNodeConstantDesc(false),
                    inThePath,
                    value("a_min", BIGINT),
                    value("a_max", BIGINT))))
        .isEmpty();
  }

  private static ExprNodeDesc negated() {
    return call(
        new GenericUDFBetween(),
        new ExprNodeConstantDesc(true),
        column(BIGINT),
        value("a_min", BIGINT),
        value("a_max", BIGINT));
  }

  private static ExprNodeDesc withConstants() {
    return call(
        new GenericUDFBetween(),
        new ExprNodeConstantDesc(false),
        column(BIGINT),
        constant(1L),
        constant(2L));
  }

  @Test
  void aScanWithSeveralReadersOrASampleHasNone() {
    TableScanOperator forked = Plans.scan(null);
    Plans.sink(Plans.filter(forked, between(BIGINT)), column(BIGINT));
    Plans.sink(forked, column(BIGINT));
    assertThat(SemijoinFilter.of(forked)).isEmpty();
    TableScanOperator sampled = Plans.scan(null);
    Plans.sink(Plans.filter(sampled, between(BIGINT)), column(BIGINT));
    sampled.getConf().setRowLimit(20);
    assertThat(SemijoinFilter.of(sampled)).isEmpty();
  }

  @Test
  void aFileIsOutsideIfOneFilterDropsAllItsRows() throws IOException {
    arrive(10, 20, 10, 20);
    List<SemijoinFilter> filters = Collections.singletonList(bigint());
    assertThat(FileBounds.areOutside(Collections.singletonList(file(1, 2)), filters, task))
        .isTrue();
    assertThat(FileBounds.areOutside(Collections.emptyList(), filters, task)).isFalse();
    FileBounds other = new FileBounds("d", ValueEncoding.encodeInteger(1), new byte[0]);
    assertThat(FileBounds.areOutside(Collections.singletonList(other), filters, task)).isFalse();
  }
}
