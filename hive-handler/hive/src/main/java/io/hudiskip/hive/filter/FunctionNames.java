// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.filter;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.UDFChr;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMurmurHash;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualNS;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNegative;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPPositive;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToIntervalDayTime;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToIntervalYearMonth;

/**
 * Canonical names of functions: one of Hive's names for built-in functions, {@code class:} and the
 * class name for others.
 *
 * <p>A function is identified by its class, never by the name in the query: a temporary function
 * may have any name, and a serialized plan loses most names. {@code
 * tests/conformance/functions.json} lists the names that the predicate compiler must know.
 */
public final class FunctionNames {
  public static final String AND = "and";
  public static final String OR = "or";
  public static final String NOT = "not";
  public static final String IN = "in";
  public static final String BETWEEN = "between";
  public static final String IS_NULL = "isnull";
  public static final String IS_NOT_NULL = "isnotnull";
  static final String CAST = "cast";
  static final String STRUCT = "struct";

  /** Prefix of functions that are not built into Hive. */
  static final String CLASS_PREFIX = "class:";

  static final List<String> BINARY_COMPARISONS =
      Collections.unmodifiableList(Arrays.asList("=", "<=>", "!=", "<", "<=", ">", ">="));

  /** What a SearchArgument can express. */
  private static final Map<String, Supplier<GenericUDF>> OPERATORS = operators();

  private static final Map<Class<?>, String> BY_CLASS = byClass();

  private FunctionNames() {}

  private static Map<String, Supplier<GenericUDF>> operators() {
    Map<String, Supplier<GenericUDF>> operators = new HashMap<>();
    operators.put(AND, GenericUDFOPAnd::new);
    operators.put(OR, GenericUDFOPOr::new);
    operators.put(NOT, GenericUDFOPNot::new);
    operators.put("=", GenericUDFOPEqual::new);
    operators.put("<=>", GenericUDFOPEqualNS::new);
    operators.put("!=", GenericUDFOPNotEqual::new);
    operators.put("<", GenericUDFOPLessThan::new);
    operators.put("<=", GenericUDFOPEqualOrLessThan::new);
    operators.put(">", GenericUDFOPGreaterThan::new);
    operators.put(">=", GenericUDFOPEqualOrGreaterThan::new);
    operators.put(IN, GenericUDFIn::new);
    operators.put(BETWEEN, GenericUDFBetween::new);
    operators.put(IS_NULL, GenericUDFOPNull::new);
    operators.put(IS_NOT_NULL, GenericUDFOPNotNull::new);
    return Collections.unmodifiableMap(operators);
  }

  private static Map<Class<?>, String> byClass() {
    Map<Class<?>, String> names = new HashMap<>();
    OPERATORS.forEach((name, operator) -> names.put(operator.get().getClass(), name));
    // Hive describes these under another function's name, or none.
    names.put(GenericUDFOPNegative.class, "negative");
    names.put(GenericUDFOPPositive.class, "positive");
    names.put(GenericUDFMurmurHash.class, "murmur_hash");
    names.put(UDFChr.class, "chr");
    names.put(GenericUDFToIntervalYearMonth.class, CAST);
    names.put(GenericUDFToIntervalDayTime.class, CAST);
    return Collections.unmodifiableMap(names);
  }

  /** Hive's function for a logical operator, a comparison, IN, BETWEEN or IS [NOT] NULL. */
  public static GenericUDF operator(String name) {
    return OPERATORS.get(name).get();
  }

  /** The canonical name of a call's function; empty if its class cannot be loaded. */
  static Optional<String> of(ExprNodeGenericFuncDesc call) {
    if (FunctionRegistry.isOpCast(call)) {
      return Optional.of(CAST);
    }
    GenericUDF udf = call.getGenericUDF();
    Class<?> implementation =
        udf instanceof GenericUDFBridge ? ((GenericUDFBridge) udf).getUdfClass() : udf.getClass();
    return Optional.ofNullable(implementation).map(FunctionNames::of);
  }

  private static String of(Class<?> implementation) {
    if (!FunctionRegistry.isBuiltInFuncClass(implementation)) {
      return CLASS_PREFIX + implementation.getName();
    }
    String name = BY_CLASS.get(implementation);
    if (name != null) {
      return name;
    }
    Description description = implementation.getAnnotation(Description.class);
    String described = description == null ? "" : description.name().split(",", -1)[0].trim();
    return (described.isEmpty() ? implementation.getSimpleName() : described)
        .toLowerCase(Locale.ROOT);
  }
}
