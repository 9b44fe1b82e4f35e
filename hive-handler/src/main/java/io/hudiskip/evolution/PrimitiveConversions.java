/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

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
import org.apache.hadoop.hive.serde2.typeinfo.CharTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.VarcharTypeInfo;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * The widenings that Hudi 1.0.2 allows between two commits, with the values that Spark reads and
 * that Hudi itself writes when it rewrites a file: a float becomes the double that its text says
 * (1.1, not 1.10000002384), a number becomes the text that Java has for it.
 *
 * <p>Hudi also lets a number become a date or a timestamp and the reverse. That is no widening, and
 * is not here: the same bytes would be taken for something else.
 */
final class PrimitiveConversions {
  private PrimitiveConversions() {}

  /**
   * The conversion of a stored type to the table's.
   *
   * @return null when there is none
   */
  @Nullable
  static Conversion between(PrimitiveTypeInfo stored, PrimitiveTypeInfo table) {
    if (stored.equals(table)) {
      return Conversion.NONE;
    }
    switch (table.getPrimitiveCategory()) {
      case LONG:
        return stored.getPrimitiveCategory() == PrimitiveCategory.INT
            ? value -> new LongWritable(((IntWritable) value).get())
            : null;
      case FLOAT:
        return toFloat(stored.getPrimitiveCategory());
      case DOUBLE:
        return toDouble(stored.getPrimitiveCategory());
      case STRING:
        return toText(stored.getPrimitiveCategory(), text -> text);
      case VARCHAR:
        int most = ((VarcharTypeInfo) table).getLength();
        return isText(stored)
            ? Conversion.NONE
            : toText(
                stored.getPrimitiveCategory(),
                text -> new HiveVarcharWritable(new HiveVarchar(text.toString(), most)));
      case CHAR:
        int length = ((CharTypeInfo) table).getLength();
        return isText(stored)
            ? Conversion.NONE
            : toText(
                stored.getPrimitiveCategory(),
                text -> new HiveCharWritable(new HiveChar(text.toString(), length)));
      case DECIMAL:
        return stored.getPrimitiveCategory() == PrimitiveCategory.DECIMAL
            ? toDecimal((DecimalTypeInfo) table)
            : null;
      case BINARY:
        return isText(stored) ? value -> new BytesWritable(((Text) value).copyBytes()) : null;
      default:
        return null;
    }
  }

  /** The double that the text of a float says. */
  static double widened(float value) {
    return Double.parseDouble(Float.toString(value));
  }

  private static boolean isText(PrimitiveTypeInfo stored) {
    return stored.getPrimitiveCategory() == PrimitiveCategory.STRING;
  }

  @Nullable
  private static Conversion toFloat(PrimitiveCategory stored) {
    switch (stored) {
      case INT:
        return value -> new FloatWritable(((IntWritable) value).get());
      case LONG:
        return value -> new FloatWritable(((LongWritable) value).get());
      default:
        return null;
    }
  }

  @Nullable
  private static Conversion toDouble(PrimitiveCategory stored) {
    switch (stored) {
      case INT:
        return value -> new DoubleWritable(((IntWritable) value).get());
      case LONG:
        return value -> new DoubleWritable(((LongWritable) value).get());
      case FLOAT:
        return value -> new DoubleWritable(widened(((FloatWritable) value).get()));
      default:
        return null;
    }
  }

  /**
   * Hudi takes another decimal of as many bytes for no change. It is rounded as in Spark, which
   * makes another number of one that has too many digits; here that is an error.
   */
  private static Conversion toDecimal(DecimalTypeInfo table) {
    return value -> {
      HiveDecimal stored = ((HiveDecimalWritable) value).getHiveDecimal();
      HiveDecimal decimal =
          HiveDecimal.enforcePrecisionScale(stored, table.precision(), table.scale());
      if (decimal == null) {
        throw new ArithmeticException(
            "a file that is older than the table's schema has "
                + stored
                + ", which "
                + table.getTypeName()
                + " does not hold: rewrite the old files");
      }
      return new HiveDecimalWritable(decimal);
    };
  }

  @Nullable
  private static Conversion toText(PrimitiveCategory stored, Function<Text, Writable> wrap) {
    switch (stored) {
      case INT:
        return value -> wrap.apply(new Text(Integer.toString(((IntWritable) value).get())));
      case LONG:
        return value -> wrap.apply(new Text(Long.toString(((LongWritable) value).get())));
      case FLOAT:
        return value -> wrap.apply(new Text(Float.toString(((FloatWritable) value).get())));
      case DOUBLE:
        return value -> wrap.apply(new Text(Double.toString(((DoubleWritable) value).get())));
      case BINARY:
        return value -> wrap.apply(new Text(((BytesWritable) value).copyBytes()));
      default:
        return null;
    }
  }
}
