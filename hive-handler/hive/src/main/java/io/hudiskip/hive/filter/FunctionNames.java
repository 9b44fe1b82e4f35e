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
import org.apache.hadoop.hive.ql.udf.UDFChr;
import org.apache.hadoop.hive.ql.udf.UDFToBoolean;
import org.apache.hadoop.hive.ql.udf.UDFToByte;
import org.apache.hadoop.hive.ql.udf.UDFToDouble;
import org.apache.hadoop.hive.ql.udf.UDFToFloat;
import org.apache.hadoop.hive.ql.udf.UDFToInteger;
import org.apache.hadoop.hive.ql.udf.UDFToLong;
import org.apache.hadoop.hive.ql.udf.UDFToShort;
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
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFTimestamp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToBinary;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToChar;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToDate;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToDecimal;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToIntervalDayTime;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToIntervalYearMonth;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToString;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToTimestampLocalTZ;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToVarchar;

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

  private static final List<Class<?>> CASTS =
      Collections.unmodifiableList(
          Arrays.asList(
              UDFToBoolean.class,
              UDFToByte.class,
              UDFToShort.class,
              UDFToInteger.class,
              UDFToLong.class,
              UDFToFloat.class,
              UDFToDouble.class,
              GenericUDFToString.class,
              GenericUDFToVarchar.class,
              GenericUDFToChar.class,
              GenericUDFToDecimal.class,
              GenericUDFToDate.class,
              GenericUDFTimestamp.class,
              GenericUDFToTimestampLocalTZ.class,
              GenericUDFToBinary.class,
              GenericUDFToIntervalYearMonth.class,
              GenericUDFToIntervalDayTime.class));

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
    return Collections.unmodifiableMap(names);
  }

  /** Hive's function for a logical operator, a comparison, IN, BETWEEN or IS [NOT] NULL. */
  public static GenericUDF operator(String name) {
    return OPERATORS.get(name).get();
  }

  /** The canonical name of a function; empty if its class cannot be loaded. */
  static Optional<String> of(GenericUDF udf) {
    Class<?> implementation = udf.getClass();
    if (udf instanceof GenericUDFBridge) {
      implementation = ((GenericUDFBridge) udf).getUdfClass();
    }
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
    if (CASTS.contains(implementation)) {
      return CAST;
    }
    Description description = implementation.getAnnotation(Description.class);
    String described = description == null ? "" : description.name().split(",", -1)[0].trim();
    return (described.isEmpty() ? implementation.getSimpleName() : described)
        .toLowerCase(Locale.ROOT);
  }
}
