// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.evolution;

import javax.annotation.Nullable;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters.Converter;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils.ObjectInspectorCopyOption;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.Writable;

/**
 * The widenings that Hudi 1.0.2 allows between commits, with the values that Spark reads and Hudi
 * writes when it rewrites a file: a float becomes the double of its text (1.1, not 1.10000002384),
 * a number becomes its Java text.
 *
 * <p>Hudi also allows changes between numbers and dates or timestamps. Those are no widenings and
 * are missing here: they would reinterpret the same bytes.
 */
final class PrimitiveConversions {
  private PrimitiveConversions() {}

  /** The conversion of a stored type to the table's; null when there is none. */
  @Nullable
  static Conversion between(PrimitiveTypeInfo stored, PrimitiveTypeInfo table) {
    if (stored.equals(table)) {
      return Conversion.NONE;
    }
    switch (table.getPrimitiveCategory()) {
      case LONG:
        return is(stored, PrimitiveCategory.INT) ? byHive(stored, table) : null;
      case FLOAT:
        return isInteger(stored) ? byHive(stored, table) : null;
      case DOUBLE:
        if (is(stored, PrimitiveCategory.FLOAT)) {
          return value -> new DoubleWritable(widened(((FloatWritable) value).get()));
        }
        return isInteger(stored) ? byHive(stored, table) : null;
      case STRING:
        return hasText(stored) ? byHive(stored, table) : null;
      case VARCHAR:
      case CHAR:
        if (is(stored, PrimitiveCategory.STRING)) {
          return Conversion.NONE;
        }
        return hasText(stored) ? byHive(stored, table) : null;
      case DECIMAL:
        return is(stored, PrimitiveCategory.DECIMAL) ? toDecimal((DecimalTypeInfo) table) : null;
      case BINARY:
        return is(stored, PrimitiveCategory.STRING) ? byHive(stored, table) : null;
      default:
        return null;
    }
  }

  private static Conversion byHive(PrimitiveTypeInfo stored, PrimitiveTypeInfo table) {
    ObjectInspector inspector =
        PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(table);
    Converter converter =
        ObjectInspectorConverters.getConverter(
            PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(stored), inspector);
    // A copy, since the converter returns the same object each time.
    return value ->
        (Writable)
            ObjectInspectorUtils.copyToStandardObject(
                converter.convert(value), inspector, ObjectInspectorCopyOption.WRITABLE);
  }

  /** The double with the same text as {@code value}. */
  static double widened(float value) {
    return Double.parseDouble(Float.toString(value));
  }

  private static boolean is(PrimitiveTypeInfo type, PrimitiveCategory category) {
    return type.getPrimitiveCategory() == category;
  }

  private static boolean isInteger(PrimitiveTypeInfo type) {
    return is(type, PrimitiveCategory.INT) || is(type, PrimitiveCategory.LONG);
  }

  private static boolean hasText(PrimitiveTypeInfo type) {
    return isInteger(type)
        || is(type, PrimitiveCategory.FLOAT)
        || is(type, PrimitiveCategory.DOUBLE)
        || is(type, PrimitiveCategory.BINARY);
  }

  /**
   * Hudi treats another decimal of the same byte width as unchanged. Rounds like Spark, but throws
   * where Spark turns a number with too many digits into another number.
   */
  private static Conversion toDecimal(DecimalTypeInfo table) {
    return value -> {
      HiveDecimal stored = ((HiveDecimalWritable) value).getHiveDecimal();
      HiveDecimal decimal =
          HiveDecimal.enforcePrecisionScale(stored, table.precision(), table.scale());
      if (decimal == null) {
        throw new ArithmeticException(
            "a file older than the table's schema contains "
                + stored
                + ", which does not fit "
                + table.getTypeName()
                + ": rewrite the old files");
      }
      return new HiveDecimalWritable(decimal);
    };
  }
}
