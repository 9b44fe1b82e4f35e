// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.io.BooleanWritable;

/**
 * {@code within_bounding_box(lat, lon, south, west, north, east)}: whether a place lies in a closed
 * box, in degrees: {@code lat >= south AND lat <= north AND lon >= west AND lon <= east} over
 * doubles.
 *
 * <p>The box does not wrap around the antimeridian: west > east or south > north is an error. NULL
 * if any argument is NULL; false if the place or the box has a NaN.
 */
@Description(
    name = "within_bounding_box",
    value = "_FUNC_(lat, lon, south, west, north, east) - whether a place lies in a closed box",
    extended = "All in degrees. A box across the antimeridian (west > east) is an error.")
@UDFType(deterministic = true, stateful = false)
public final class WithinBoundingBox extends PlaceFunction {
  private static final int ARGUMENTS = 6;

  private final BooleanWritable result = new BooleanWritable();

  @Override
  public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
    checkArguments(arguments, ARGUMENTS, ARGUMENTS);
    return PrimitiveObjectInspectorFactory.writableBooleanObjectInspector;
  }

  @Override
  public Object evaluate(DeferredObject[] arguments) throws HiveException {
    double[] numbers = numbers(arguments);
    if (numbers == null) {
      return null;
    }
    double latitude = numbers[0];
    double longitude = numbers[1];
    double south = numbers[2];
    double west = numbers[3];
    double north = numbers[4];
    double east = numbers[5];
    if (west > east) {
      throw new HiveException(
          "west "
              + west
              + " is east of east "
              + east
              + ": split a box across the antimeridian into two");
    }
    if (south > north) {
      throw new HiveException("south " + south + " is north of north " + north);
    }
    result.set(latitude >= south && latitude <= north && longitude >= west && longitude <= east);
    return result;
  }
}
