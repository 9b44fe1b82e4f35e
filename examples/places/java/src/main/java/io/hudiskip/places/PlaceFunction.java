// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentLengthException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentTypeException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorUtils.PrimitiveGrouping;

/** Base of functions on places: numbers in degrees, as doubles. */
abstract class PlaceFunction extends GenericUDF {
  private transient PrimitiveObjectInspector[] inspectors;

  /** Checks the number of arguments, and that the first {@code numbers} are numeric. */
  final void checkArguments(ObjectInspector[] arguments, int count, int numbers)
      throws UDFArgumentException {
    if (arguments.length != count) {
      throw new UDFArgumentLengthException(
          getClass().getSimpleName() + " takes " + count + " arguments, not " + arguments.length);
    }
    inspectors = new PrimitiveObjectInspector[numbers];
    for (int i = 0; i < numbers; i++) {
      inspectors[i] = number(arguments[i], i);
    }
  }

  private PrimitiveObjectInspector number(ObjectInspector argument, int index)
      throws UDFArgumentException {
    if (argument instanceof PrimitiveObjectInspector) {
      PrimitiveObjectInspector primitive = (PrimitiveObjectInspector) argument;
      PrimitiveGrouping group =
          PrimitiveObjectInspectorUtils.getPrimitiveGrouping(primitive.getPrimitiveCategory());
      if (group == PrimitiveGrouping.NUMERIC_GROUP || group == PrimitiveGrouping.VOID_GROUP) {
        return primitive;
      }
    }
    throw new UDFArgumentTypeException(
        index,
        getClass().getSimpleName() + " takes numbers in degrees, not " + argument.getTypeName());
  }

  /** The numeric arguments; null if any is NULL. */
  @Nullable
  final double[] numbers(DeferredObject[] arguments) throws HiveException {
    double[] numbers = new double[inspectors.length];
    for (int i = 0; i < numbers.length; i++) {
      Object value = arguments[i].get();
      if (value == null) {
        return null;
      }
      numbers[i] = PrimitiveObjectInspectorUtils.getDouble(value, inspectors[i]);
    }
    return numbers;
  }

  @Override
  public final String getDisplayString(String[] children) {
    return getStandardDisplayString(getClass().getSimpleName(), children);
  }
}
