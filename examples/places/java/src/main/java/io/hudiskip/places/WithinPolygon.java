// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentTypeException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.apache.hadoop.hive.serde2.objectinspector.ConstantObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.io.BooleanWritable;

/**
 * {@code within_polygon(lat, lon, 'POLYGON((lon lat, …))')}: whether a place lies inside or on a
 * polygon on the plane of longitude and latitude, in degrees; see {@link Polygon}. NULL if any
 * argument is NULL; false if the place has a NaN.
 */
@Description(
    name = "within_polygon",
    value = "_FUNC_(lat, lon, 'POLYGON((lon lat, ...))') - whether a place lies in a polygon",
    extended = "Planar, in degrees; the boundary is inside. Inner rings are holes.")
@UDFType(deterministic = true, stateful = false)
public final class WithinPolygon extends PlaceFunction {
  private static final int ARGUMENTS = 3;
  private static final int NUMBERS = 2;

  private final BooleanWritable result = new BooleanWritable();
  private transient Polygon polygon;

  @Override
  public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
    checkArguments(arguments, ARGUMENTS, NUMBERS);
    ObjectInspector wkt = arguments[NUMBERS];
    if (!(wkt instanceof ConstantObjectInspector) || !(wkt instanceof PrimitiveObjectInspector)) {
      throw new UDFArgumentTypeException(NUMBERS, "the polygon must be a constant string");
    }
    Object text = ((ConstantObjectInspector) wkt).getWritableConstantValue();
    try {
      polygon = text == null ? null : Polygon.parse(text.toString());
    } catch (IllegalArgumentException e) {
      throw new UDFArgumentException(e.getMessage());
    }
    return PrimitiveObjectInspectorFactory.writableBooleanObjectInspector;
  }

  @Override
  public Object evaluate(DeferredObject[] arguments) throws HiveException {
    double[] place = numbers(arguments);
    if (place == null || polygon == null) {
      return null;
    }
    result.set(polygon.contains(place[1], place[0]));
    return result;
  }
}
