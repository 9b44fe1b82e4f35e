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
 * {@code within_distance(lat, lon, lat0, lon0, metres)}: whether two places are at most {@code
 * metres} apart, on a sphere of the earth's mean radius (haversine, over doubles).
 *
 * <p>NULL if any argument is NULL; false for NaN, a latitude beyond 90 degrees or a longitude
 * beyond 180.
 */
@Description(
    name = "within_distance",
    value = "_FUNC_(lat, lon, lat0, lon0, metres) - whether two places are at most this far apart",
    extended = "On a sphere of 6371008.8 metres; false for invalid coordinates.")
@UDFType(deterministic = true, stateful = false)
public final class WithinDistance extends PlaceFunction {
  static final double EARTH_METRES = 6_371_008.8;

  private static final int ARGUMENTS = 5;
  private static final double MAX_LATITUDE = 90;
  private static final double MAX_LONGITUDE = 180;

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
    result.set(
        isPlace(numbers[0], numbers[1])
            && isPlace(numbers[2], numbers[3])
            && metres(numbers[0], numbers[1], numbers[2], numbers[3]) <= numbers[4]);
    return result;
  }

  private static boolean isPlace(double latitude, double longitude) {
    return Math.abs(latitude) <= MAX_LATITUDE && Math.abs(longitude) <= MAX_LONGITUDE;
  }

  private static double metres(double lat1, double lon1, double lat2, double lon2) {
    double up = Math.sin(Math.toRadians(lat2 - lat1) / 2);
    double along = Math.sin(Math.toRadians(lon2 - lon1) / 2);
    double haversine =
        up * up + Math.cos(Math.toRadians(lat1)) * Math.cos(Math.toRadians(lat2)) * along * along;
    return 2 * EARTH_METRES * Math.asin(Math.sqrt(Math.min(1, haversine)));
  }
}
