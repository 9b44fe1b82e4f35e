// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
 * Accepts functions whose result depends only on their arguments, so that it is the same where
 * files are listed (HiveServer2, the Tez application master) and where rows are filtered (a task).
 * {@code docs/reference/types-and-functions.md} gives the reasons.
 *
 * <p>Like Hive, this trusts the annotations of users' functions, but rejects functions that need a
 * task's configuration or files.
 */
final class EvaluableFunctions {
  /** Built-in functions annotated as deterministic that nevertheless depend on where they run. */
  private static final List<Class<? extends GenericUDF>> CONTEXT_DEPENDENT =
      Arrays.asList(
          // Session time zone and its datetime formatter.
          GenericUDFToUnixTimeStamp.class, // and unix_timestamp, which extends it
          GenericUDFFromUnixTime.class,
          GenericUDFDateFormat.class,
          GenericUDFFromUtcTimestamp.class,
          GenericUDFToUtcTimestamp.class,
          GenericUDFToTimestampLocalTZ.class,
          GenericUDFCastFormat.class,
          GenericUDFDatetimeLegacyHybridCalendar.class,
          // JVM locale.
          GenericUDFFormatNumber.class,
          GenericUDFPrintf.class,
          GenericUDFSentences.class,
          // Files, and arbitrary Java methods.
          GenericUDFInFile.class,
          GenericUDFReflect.class,
          GenericUDFReflect2.class,
          // Session settings.
          GenericUDFMaskHash.class,
          // All macros share one class.
          GenericUDFMacro.class);

  /** Functions that depend on the JVM locale only for the languages below. */
  private static final List<Class<? extends GenericUDF>> CASE_MAPPINGS =
      Arrays.asList(GenericUDFLower.class, GenericUDFUpper.class, GenericUDFInitCap.class);

  /** Languages with their own case mappings, see {@link String#toLowerCase(Locale)}. */
  private static final List<String> SPECIAL_CASE_LANGUAGES = Arrays.asList("tr", "az", "lt");

  private EvaluableFunctions() {}

  /** Whether a call may be evaluated; its arguments are not checked. */
  static boolean allow(ExprNodeGenericFuncDesc call, HiveConf conf) {
    GenericUDF udf = call.getGenericUDF();
    if (!FunctionRegistry.isDeterministic(udf)
        || FunctionRegistry.isRuntimeConstant(udf)
        || isLocalTimestamp(call.getTypeInfo())) {
      return false;
    }
    if (CONTEXT_DEPENDENT.stream().anyMatch(refused -> refused.isInstance(udf))) {
      return false;
    }
    if (udf instanceof GenericUDFRegExp) {
      return !conf.getBoolVar(HiveConf.ConfVars.HIVE_USE_GOOGLE_REGEX_ENGINE);
    }
    if (udf instanceof GenericUDFTimestamp) {
      // A session setting decides whether a number means seconds or milliseconds.
      return call.getChildren().stream().noneMatch(EvaluableFunctions::isNumber);
    }
    if (CASE_MAPPINGS.contains(udf.getClass())) {
      return !SPECIAL_CASE_LANGUAGES.contains(Locale.getDefault().getLanguage());
    }
    return !needsTask(udf);
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

  /** Whether it needs a task's context, or files shipped to the task. */
  private static boolean needsTask(GenericUDF udf) {
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
      return implementation.getMethod(method, parameters).getDeclaringClass() != base;
    } catch (NoSuchMethodException e) {
      return true; // a different Hive version
    }
  }
}
