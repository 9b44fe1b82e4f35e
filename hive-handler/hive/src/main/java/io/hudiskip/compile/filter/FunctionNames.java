// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.UDFChr;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMurmurHash;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualNS;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNegative;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotEqual;
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

  /** Functions that Hive describes under another function's name, or none. */
  private static final Map<Class<?>, String> BY_CLASS = byClass();

  private FunctionNames() {}

  private static Map<Class<?>, String> byClass() {
    Map<Class<?>, String> names = new HashMap<>();
    names.put(GenericUDFOPEqualNS.class, "<=>");
    names.put(GenericUDFOPNotEqual.class, "!=");
    names.put(GenericUDFOPNegative.class, "negative");
    names.put(GenericUDFOPPositive.class, "positive");
    names.put(GenericUDFMurmurHash.class, "murmur_hash");
    names.put(UDFChr.class, "chr");
    names.put(GenericUDFToIntervalYearMonth.class, CAST);
    names.put(GenericUDFToIntervalDayTime.class, CAST);
    return Collections.unmodifiableMap(names);
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
