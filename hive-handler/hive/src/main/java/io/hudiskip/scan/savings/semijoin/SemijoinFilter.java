// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.filter.FilterLimitException;
import io.hudiskip.compile.filter.FilterTermBuilder;
import io.hudiskip.compile.filter.HiveLiterals;
import io.hudiskip.scan.savings.join.ScanPath;
import io.hudiskip.scan.savings.join.ValueList;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.ObjectCache;
import org.apache.hadoop.hive.ql.exec.ObjectCacheFactory;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDescUtils;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInBloomFilter;
import org.apache.hive.common.util.BloomKFilter;

/**
 * What Hive's semijoin reduction finds for a column of a scan: the least and the greatest key of
 * the join's other input, and a Bloom filter of them. Only tasks have these values, from their
 * first row on ({@code MapRecordProcessor.init}). Immutable.
 *
 * <p>Why a file may be left unopened whose rows the filter drops: it is the filter of the scan's
 * only reader, and Hive applies it to every row.
 */
public final class SemijoinFilter {
  /**
   * Values of a file that are looked up in a Bloom filter; with more, one is likely to be there.
   */
  private static final int MOST_PROBES = 1_000;

  /** How ids end in {@code DynamicPartitionPruningOptimization}. */
  private static final String LEAST = "_min";

  private static final String BLOOM_FILTER = "_bloom_filter";

  private final ReadColumn column;

  /** What the rows of the scan must meet: one term, or two. */
  private final List<ExprNodeDesc> terms;

  private final DynamicValue least;
  private final DynamicValue greatest;

  /** Null if Hive looks for no key in one. */
  @Nullable private final DynamicValue bloomFilter;

  private SemijoinFilter(
      ReadColumn column,
      List<ExprNodeDesc> terms,
      DynamicValue least,
      DynamicValue greatest,
      @Nullable DynamicValue bloomFilter) {
    this.column = column;
    this.terms = terms;
    this.least = least;
    this.greatest = greatest;
    this.bloomFilter = bloomFilter;
  }

  /** Those that every row of a scan must pass. */
  public static List<SemijoinFilter> of(TableScanOperator scan) {
    List<Operator<?>> readers = scan.getChildOperators();
    if (ScanPath.isSampled(scan)
        || readers.size() != 1
        || !(readers.get(0) instanceof FilterOperator)) {
      return Collections.emptyList();
    }
    try {
      return in(
          FilterTermBuilder.conjunctsOf(
              ((FilterOperator) readers.get(0)).getConf().getPredicate()));
    } catch (FilterLimitException e) {
      return Collections.emptyList();
    }
  }

  private static List<SemijoinFilter> in(List<ExprNodeDesc> conjuncts) {
    List<SemijoinFilter> found = new ArrayList<>();
    for (ExprNodeDesc conjunct : conjuncts) {
      List<ExprNodeDesc> between = operandsOf(GenericUDFBetween.class, conjunct);
      if (between.size() == 4
          && between.get(0) instanceof ExprNodeConstantDesc
          && Boolean.FALSE.equals(((ExprNodeConstantDesc) between.get(0)).getValue())
          && between.get(1) instanceof ExprNodeColumnDesc
          && ScanPath.isPlain((ExprNodeColumnDesc) between.get(1))) {
        ExprNodeColumnDesc column = (ExprNodeColumnDesc) between.get(1);
        DynamicValue least = valueOf(column, between.get(2));
        DynamicValue greatest = valueOf(column, between.get(3));
        Optional<HiveType> type = HiveType.parse(column.getTypeString()).filter(ValueList::encodes);
        if (least != null && greatest != null && type.isPresent()) {
          Optional<ExprNodeDesc> inBloomFilter = inBloomFilter(least, column, conjuncts);
          List<ExprNodeDesc> terms = new ArrayList<>(Collections.singleton(conjunct));
          inBloomFilter.ifPresent(terms::add);
          found.add(
              new SemijoinFilter(
                  new ReadColumn(column.getColumn().toLowerCase(Locale.ROOT), type.get()),
                  terms,
                  least,
                  greatest,
                  inBloomFilter.map(SemijoinFilter::bloomFilterOf).orElse(null)));
        }
      }
    }
    return found;
  }

  private static List<ExprNodeDesc> operandsOf(Class<?> function, ExprNodeDesc conjunct) {
    return conjunct instanceof ExprNodeGenericFuncDesc
            && function.isInstance(((ExprNodeGenericFuncDesc) conjunct).getGenericUDF())
        ? conjunct.getChildren()
        : Collections.emptyList();
  }

  /**
   * Null unless Hive takes it for a value of the column's own type. If the other input's key has
   * another type all the same, the value that arrives cannot be cast, and the file is opened.
   */
  @Nullable
  private static DynamicValue valueOf(ExprNodeColumnDesc column, ExprNodeDesc operand) {
    if (!(operand instanceof ExprNodeDynamicValueDesc)) {
      return null;
    }
    DynamicValue value = ((ExprNodeDynamicValueDesc) operand).getDynamicValue();
    return column.getTypeInfo().equals(value.getTypeInfo()) ? value : null;
  }

  /** That of the same join: a column may have a semijoin with each of several tables. */
  private static Optional<ExprNodeDesc> inBloomFilter(
      DynamicValue least, ExprNodeColumnDesc column, List<ExprNodeDesc> conjuncts) {
    String id = StringUtils.removeEnd(least.getId(), LEAST) + BLOOM_FILTER;
    for (ExprNodeDesc conjunct : conjuncts) {
      List<ExprNodeDesc> operands = operandsOf(GenericUDFInBloomFilter.class, conjunct);
      if (operands.size() == 2
          && operands.get(0).isSame(column)
          && operands.get(1) instanceof ExprNodeDynamicValueDesc
          && bloomFilterOf(conjunct).getId().equals(id)) {
        return Optional.of(conjunct);
      }
    }
    return Optional.empty();
  }

  private static DynamicValue bloomFilterOf(ExprNodeDesc inBloomFilter) {
    return ((ExprNodeDynamicValueDesc) inBloomFilter.getChildren().get(1)).getDynamicValue();
  }

  ReadColumn column() {
    return column;
  }

  /**
   * The condition that no row meets if one of some filters drops them all.
   *
   * @param semijoins at least one
   * @return nodes of the plan, not to be evaluated: their values are another thread's
   */
  public static ExprNodeGenericFuncDesc condition(List<SemijoinFilter> semijoins) {
    List<ExprNodeDesc> terms =
        semijoins.stream()
            .flatMap(semijoin -> semijoin.terms.stream())
            .collect(Collectors.toList());
    return terms.size() == 1
        ? (ExprNodeGenericFuncDesc) terms.get(0)
        : ExprNodeDescUtils.and(terms);
  }

  /**
   * Whether Hive drops every row of a file.
   *
   * @param file bounds of this column in the file
   * @param task the configuration of the task that reads it
   * @throws RuntimeException when the values have not arrived
   */
  boolean drops(FileBounds file, Configuration task) {
    if (file.isAllNull()) {
      return true; // NULL is between no values
    }
    Object first = arrived(least, task);
    Object last = arrived(greatest, task);
    if (first == null || last == null) {
      return true; // there is no key, and nothing is between NULLs
    }
    Optional<byte[]> lower = encoded(first);
    Optional<byte[]> upper = encoded(last);
    if (!lower.isPresent() || !upper.isPresent()) {
      return false;
    }
    byte[] from = BinaryOperator.maxBy(EncodedOrder.COMPARATOR).apply(file.lower(), lower.get());
    byte[] to = BinaryOperator.minBy(EncodedOrder.COMPARATOR).apply(file.upper(), upper.get());
    // What the file has between the keys is between these, or there is nothing.
    return EncodedOrder.compare(from, to) > 0 || areNoKeys(from, to, task);
  }

  /** Whether the Bloom filter has none of the values from one to another. */
  private boolean areNoKeys(byte[] from, byte[] to, Configuration task) {
    // Row by row, Hive's filter does not ask the shared object, but one of its own.
    if (bloomFilter == null
        || column.type().kind() == HiveType.Kind.STRING
        || !Utilities.getIsVectorized(task)) {
      return false;
    }
    long first = ValueEncoding.decodeInteger(from);
    long others = ValueEncoding.decodeInteger(to) - first;
    if (others >= MOST_PROBES || others < 0) { // below 0 if the difference overflows
      return false;
    }
    BloomKFilter keys = keys(task);
    return LongStream.rangeClosed(0, others).noneMatch(other -> keys.testLong(first + other));
  }

  /** Shared with Hive's own filter ({@code VectorInBloomFilterColDynamicValue}). */
  private BloomKFilter keys(Configuration task) {
    try {
      return cache(task)
          .retrieve(
              bloomFilter.getId(),
              () -> {
                byte[] bytes = (byte[]) arrived(bloomFilter, task);
                return BloomKFilter.deserialize(
                    new ByteArrayInputStream(Objects.requireNonNull(bytes, "no Bloom filter")));
              });
    } catch (HiveException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectCache cache(Configuration task) {
    String query = HiveConf.getVar(task, HiveConf.ConfVars.HIVE_QUERY_ID);
    return Objects.requireNonNull(
        ObjectCacheFactory.getCache(task, query, false, true), "not in a task");
  }

  /** A value as a Java object; null if it is NULL. The plan's own object is another thread's. */
  @Nullable
  private static Object arrived(DynamicValue value, Configuration task) {
    cache(task); // without one, DynamicValue says NULL
    DynamicValue own = new DynamicValue(value.getId(), value.getTypeInfo());
    own.setConf(task);
    return own.getJavaValue();
  }

  /** Empty if Hive may compare it otherwise than its encoding. */
  private Optional<byte[]> encoded(Object value) {
    if (column.type().kind() == HiveType.Kind.INTEGER && HiveLiterals.isInteger(value)) {
      return Optional.of(ValueEncoding.encodeInteger(((Number) value).longValue()));
    }
    if (value instanceof Date) {
      return Optional.of(ValueEncoding.encodeDate(((Date) value).toEpochDay()));
    }
    // Characters of ASCII sort before all others in bytes and in UTF-16, also where Hive replaces
    // bytes that are not UTF-8.
    return value instanceof String
            && StandardCharsets.US_ASCII.newEncoder().canEncode((String) value)
        ? Optional.of(ValueEncoding.encodeString((String) value))
        : Optional.empty();
  }
}
