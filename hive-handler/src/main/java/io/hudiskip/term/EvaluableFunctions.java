/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.term;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.MapredContext;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFCastFormat;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFDateFormat;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFDatetimeLegacyHybridCalendar;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFFormatNumber;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFFromUnixTime;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFFromUtcTimestamp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInFile;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInitCap;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMacro;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMaskHash;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFPrintf;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFReflect;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFReflect2;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFRegExp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFSentences;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFTimestamp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToTimestampLocalTZ;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToUnixTimeStamp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToUtcTimestamp;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * Which functions give the same result where files are listed (HiveServer2, the Tez application
 * master) as where rows are filtered (a task): those whose result is fixed by their arguments.
 * Listed with reasons in {@code docs/functions.md}.
 *
 * <p>Functions of users are trusted to be what their annotation says, which Hive does too, unless
 * they want to be configured by the task or need files.
 */
final class EvaluableFunctions {
  /** Built-in functions that are deterministic by annotation, and yet depend on where they run. */
  private static final Set<Class<? extends GenericUDF>> ELSEWHERE_OTHERWISE =
      Collections.unmodifiableSet(
          new HashSet<>(
              Arrays.asList(
                  // The zone of the session, and its datetime formatter.
                  GenericUDFToUnixTimeStamp.class, // and unix_timestamp, which extends it
                  GenericUDFFromUnixTime.class,
                  GenericUDFDateFormat.class,
                  GenericUDFFromUtcTimestamp.class,
                  GenericUDFToUtcTimestamp.class,
                  GenericUDFToTimestampLocalTZ.class,
                  GenericUDFCastFormat.class,
                  GenericUDFDatetimeLegacyHybridCalendar.class,
                  // The locale of the JVM.
                  GenericUDFFormatNumber.class,
                  GenericUDFPrintf.class,
                  GenericUDFSentences.class,
                  // Files, and whatever a Java method does.
                  GenericUDFInFile.class,
                  GenericUDFReflect.class,
                  GenericUDFReflect2.class,
                  // Settings of the session.
                  GenericUDFMaskHash.class,
                  // All macros are of one class, whatever they do.
                  GenericUDFMacro.class)));

  /** Functions whose result depends on the locale of the JVM in the languages below only. */
  private static final Set<Class<? extends GenericUDF>> CASE_MAPPINGS =
      Collections.unmodifiableSet(
          new HashSet<>(
              Arrays.asList(
                  GenericUDFLower.class, GenericUDFUpper.class, GenericUDFInitCap.class)));

  /** Languages with case mappings of their own, see {@link String#toLowerCase(Locale)}. */
  private static final Set<String> OWN_CASE_MAPPING =
      Collections.unmodifiableSet(new HashSet<>(Arrays.asList("tr", "az", "lt")));

  private final HiveConf conf;

  EvaluableFunctions(HiveConf conf) {
    this.conf = conf;
  }

  /** Whether a call may be evaluated; its arguments are not looked into. */
  boolean allow(ExprNodeGenericFuncDesc call) {
    GenericUDF udf = call.getGenericUDF();
    if (!FunctionRegistry.isDeterministic(udf)
        || FunctionRegistry.isRuntimeConstant(udf)
        || isLocalTimestamp(call.getTypeInfo())) {
      return false;
    }
    if (ELSEWHERE_OTHERWISE.stream().anyMatch(refused -> refused.isInstance(udf))) {
      return false;
    }
    if (udf instanceof GenericUDFRegExp) {
      return !conf.getBoolVar(HiveConf.ConfVars.HIVE_USE_GOOGLE_REGEX_ENGINE);
    }
    if (udf instanceof GenericUDFTimestamp) {
      // A number becomes seconds or milliseconds, as a setting of the session says.
      return call.getChildren().stream().noneMatch(EvaluableFunctions::isNumber);
    }
    if (CASE_MAPPINGS.contains(udf.getClass())) {
      return !OWN_CASE_MAPPING.contains(Locale.getDefault().getLanguage());
    }
    return !wantsMore(udf);
  }

  private static boolean isLocalTimestamp(TypeInfo type) {
    return type instanceof PrimitiveTypeInfo
        && ((PrimitiveTypeInfo) type).getPrimitiveCategory() == PrimitiveCategory.TIMESTAMPLOCALTZ;
  }

  private static boolean isNumber(ExprNodeDesc node) {
    TypeInfo type = node.getTypeInfo();
    if (type.getCategory() != Category.PRIMITIVE) {
      return true;
    }
    switch (((PrimitiveTypeInfo) type).getPrimitiveCategory()) {
      case STRING:
      case VARCHAR:
      case CHAR:
      case DATE:
      case TIMESTAMP:
        return false;
      default:
        return true;
    }
  }

  /** Whether it wants the context of a task, or files that are shipped to it. */
  private static boolean wantsMore(GenericUDF udf) {
    if (udf instanceof GenericUDFBridge) {
      Class<? extends UDF> implementation = ((GenericUDFBridge) udf).getUdfClass();
      return overrides(implementation, UDF.class, "getRequiredFiles")
          || overrides(implementation, UDF.class, "getRequiredJars");
    }
    Class<?> implementation = udf.getClass();
    return overrides(implementation, GenericUDF.class, "configure", MapredContext.class)
        || overrides(implementation, GenericUDF.class, "getRequiredFiles")
        || overrides(implementation, GenericUDF.class, "getRequiredJars");
  }

  private static boolean overrides(
      Class<?> implementation, Class<?> base, String method, Class<?>... parameters) {
    try {
      Method found = implementation.getMethod(method, parameters);
      return found.getDeclaringClass() != base;
    } catch (NoSuchMethodException e) {
      return true; // another Hive
    }
  }
}
