/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * Canonical names of functions: for Hive's own one of its names, for others {@code class:} and the
 * name of the class.
 *
 * <p>A function is known by its class, never by the name that the query used: a temporary function
 * may bear any name, and the name of most functions is gone once a plan has been serialized. {@code
 * tests/conformance/functions.json} lists the names that the predicate compiler has to know.
 */
final class FunctionNames {
  static final String AND = "and";
  static final String OR = "or";
  static final String NOT = "not";
  static final String IN = "in";
  static final String BETWEEN = "between";
  static final String IS_NULL = "isnull";
  static final String IS_NOT_NULL = "isnotnull";
  static final String CAST = "cast";
  static final String STRUCT = "struct";

  /** What the names of functions that are not Hive's own begin with. */
  static final String CLASS_PREFIX = "class:";

  private static final Map<Class<?>, String> BY_CLASS = byClass();

  private static final Set<Class<?>> CASTS =
      Collections.unmodifiableSet(
          new HashSet<>(
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
                  GenericUDFToIntervalDayTime.class)));

  private FunctionNames() {}

  private static Map<Class<?>, String> byClass() {
    Map<Class<?>, String> names = new HashMap<>();
    names.put(GenericUDFOPAnd.class, AND);
    names.put(GenericUDFOPOr.class, OR);
    names.put(GenericUDFOPNot.class, NOT);
    names.put(GenericUDFOPEqual.class, "=");
    names.put(GenericUDFOPEqualNS.class, "<=>");
    names.put(GenericUDFOPNotEqual.class, "!=");
    names.put(GenericUDFOPLessThan.class, "<");
    names.put(GenericUDFOPEqualOrLessThan.class, "<=");
    names.put(GenericUDFOPGreaterThan.class, ">");
    names.put(GenericUDFOPEqualOrGreaterThan.class, ">=");
    names.put(GenericUDFIn.class, IN);
    names.put(GenericUDFBetween.class, BETWEEN);
    names.put(GenericUDFOPNull.class, IS_NULL);
    names.put(GenericUDFOPNotNull.class, IS_NOT_NULL);
    // Hive's own descriptions of these name another function, or none.
    names.put(GenericUDFOPNegative.class, "negative");
    names.put(GenericUDFOPPositive.class, "positive");
    names.put(GenericUDFMurmurHash.class, "murmur_hash");
    names.put(UDFChr.class, "chr");
    return Collections.unmodifiableMap(names);
  }

  /**
   * The canonical name of a function.
   *
   * @return empty if its class cannot be loaded
   */
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
