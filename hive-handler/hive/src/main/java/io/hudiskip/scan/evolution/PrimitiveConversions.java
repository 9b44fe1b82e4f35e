// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.io.HiveCharWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.io.HiveVarcharWritable;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.CharTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.VarcharTypeInfo;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * The widenings that Hudi 1.0.2 allows between commits, with the values that Spark reads and Hudi
 * writes when it rewrites a file: a float becomes the double of its text (1.1, not 1.10000002384),
 * a number becomes its Java text, an integer becomes a decimal that has room for all its digits.
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
        return is(stored, PrimitiveCategory.INT)
            ? value -> new LongWritable(number(stored, value).longValue())
            : null;
      case FLOAT:
        return isInteger(stored)
            ? value -> new FloatWritable(number(stored, value).floatValue())
            : null;
      case DOUBLE:
        if (is(stored, PrimitiveCategory.FLOAT)) {
          return value -> new DoubleWritable(widened(((FloatWritable) value).get()));
        }
        return isInteger(stored)
            ? value -> new DoubleWritable(number(stored, value).doubleValue())
            : null;
      case STRING:
        return toText(stored, text -> text);
      case VARCHAR:
        int maxLength = ((VarcharTypeInfo) table).getLength();
        return is(stored, PrimitiveCategory.STRING)
            ? Conversion.NONE
            : toText(
                stored,
                text -> new HiveVarcharWritable(new HiveVarchar(text.toString(), maxLength)));
      case CHAR:
        int length = ((CharTypeInfo) table).getLength();
        return is(stored, PrimitiveCategory.STRING)
            ? Conversion.NONE
            : toText(stored, text -> new HiveCharWritable(new HiveChar(text.toString(), length)));
      case DECIMAL:
        DecimalTypeInfo decimal = (DecimalTypeInfo) table;
        return is(stored, PrimitiveCategory.DECIMAL)
                || (isInteger(stored) && digits(stored) <= decimal.precision() - decimal.scale())
            ? toDecimal(stored, decimal)
            : null;
      case BINARY:
        return is(stored, PrimitiveCategory.STRING)
            ? value -> new BytesWritable(((Text) value).copyBytes())
            : null;
      default:
        return null;
    }
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

  /** Decimal digits of the greatest value of an integer type. */
  private static int digits(PrimitiveTypeInfo integer) {
    return is(integer, PrimitiveCategory.INT) ? 10 : 19;
  }

  private static Number number(PrimitiveTypeInfo type, Writable value) {
    return (Number)
        PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type)
            .getPrimitiveJavaObject(value);
  }

  /**
   * Hudi treats another decimal of the same byte width as unchanged. Rounds like Spark, but throws
   * where Spark turns a number with too many digits into another number.
   */
  private static Conversion toDecimal(PrimitiveTypeInfo type, DecimalTypeInfo table) {
    return value -> {
      HiveDecimal stored =
          isInteger(type)
              ? HiveDecimal.create(number(type, value).longValue())
              : ((HiveDecimalWritable) value).getHiveDecimal();
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

  @Nullable
  private static Conversion toText(PrimitiveTypeInfo stored, Function<Text, Writable> wrap) {
    if (is(stored, PrimitiveCategory.BINARY)) {
      return value -> wrap.apply(new Text(((BytesWritable) value).copyBytes()));
    }
    boolean isNumber =
        isInteger(stored)
            || is(stored, PrimitiveCategory.FLOAT)
            || is(stored, PrimitiveCategory.DOUBLE);
    return isNumber ? value -> wrap.apply(new Text(number(stored, value).toString())) : null;
  }
}
