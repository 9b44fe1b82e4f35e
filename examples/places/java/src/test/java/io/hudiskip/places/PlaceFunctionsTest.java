// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredJavaObject;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceFunctionsTest {
  private static final ObjectInspector DOUBLE =
      PrimitiveObjectInspectorFactory.javaDoubleObjectInspector;
  private static final String SQUARE_WITH_HOLE =
      "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))";

  private static Boolean call(GenericUDF udf, Object... numbers) throws HiveException {
    GenericUDF.DeferredObject[] arguments = new GenericUDF.DeferredObject[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      arguments[i] = new DeferredJavaObject(numbers[i]);
    }
    BooleanWritable result = (BooleanWritable) udf.evaluate(arguments);
    return result == null ? null : result.get();
  }

  private static WithinBoundingBox box() throws UDFArgumentException {
    WithinBoundingBox udf = new WithinBoundingBox();
    udf.initialize(new ObjectInspector[] {DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE});
    return udf;
  }

  private static WithinPolygon polygon(String wkt) throws UDFArgumentException {
    WithinPolygon udf = new WithinPolygon();
    ObjectInspector constant =
        PrimitiveObjectInspectorFactory.getPrimitiveWritableConstantObjectInspector(
            TypeInfoFactory.stringTypeInfo, wkt == null ? null : new Text(wkt));
    udf.initialize(new ObjectInspector[] {DOUBLE, DOUBLE, constant});
    return udf;
  }

  @ParameterizedTest
  @CsvSource({
    "47.5, 8.5, true",
    "47.0, 8.0, true",
    "48.0, 9.0, true",
    "46.999999, 8.5, false",
    "47.5, 9.000001, false",
    "8.5, 47.5, false",
    "NaN, 8.5, false",
    "47.5, NaN, false",
  })
  void aBoxIsClosed(double latitude, double longitude, boolean inside) throws Exception {
    assertThat(call(box(), latitude, longitude, 47.0, 8.0, 48.0, 9.0)).isEqualTo(inside);
  }

  @Test
  void aBoxWithANullIsNull() throws Exception {
    assertThat(call(box(), null, 8.5, 47.0, 8.0, 48.0, 9.0)).isNull();
    assertThat(call(box(), 47.5, 8.5, 47.0, null, 48.0, 9.0)).isNull();
    assertThat(call(box(), 10.0, 8.5, 47.0, 8.0, 48.0, null))
        .as("NULL, although the place lies outside")
        .isNull();
  }

  @Test
  void anInvalidBoxIsAnError() throws Exception {
    WithinBoundingBox udf = box();
    assertThatThrownBy(() -> call(udf, 0.0, 179.0, -1.0, 170.0, 1.0, -170.0))
        .isInstanceOf(HiveException.class)
        .hasMessageContaining("antimeridian");
    assertThatThrownBy(() -> call(udf, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0))
        .hasMessageContaining("south 1.0 is north of north -1.0");
    assertThat(call(udf, 0.0, 0.0, Double.NaN, 0.0, 1.0, 1.0)).isFalse();
  }

  @Test
  void onlyNumbersAreAccepted() throws Exception {
    WithinBoundingBox udf = new WithinBoundingBox();
    ObjectInspector number = PrimitiveObjectInspectorFactory.javaIntObjectInspector;
    udf.initialize(new ObjectInspector[] {DOUBLE, DOUBLE, number, number, number, number});
    assertThat(call(udf, 47.5, 8.5, 47, 8, 48, 9)).isTrue();
    ObjectInspector string = PrimitiveObjectInspectorFactory.javaStringObjectInspector;
    assertThatThrownBy(
            () ->
                new WithinBoundingBox()
                    .initialize(
                        new ObjectInspector[] {string, DOUBLE, number, number, number, number}))
        .hasMessageContaining("not string");
    assertThatThrownBy(() -> new WithinBoundingBox().initialize(new ObjectInspector[] {DOUBLE}))
        .hasMessageContaining("takes 6 arguments");
  }

  @ParameterizedTest(name = "lon {0} lat {1}")
  @CsvSource({
    "1, 1, true",
    "0, 0, true",
    "10, 5, true",
    "5, 10, true",
    "0, 7.5, true",
    "5, 5, false",
    "4, 5, true",
    "6, 6, true",
    "10.000001, 5, false",
    "-0.000001, 0, false",
    "5, 11, false",
    "20, 4, false",
    "NaN, 5, false",
    "5, NaN, false",
  })
  void theBoundaryOfAPolygonIsInsideAndItsHolesAreNot(double lon, double lat, boolean inside)
      throws Exception {
    assertThat(call(polygon(SQUARE_WITH_HOLE), lat, lon)).isEqualTo(inside);
  }

  @Test
  void aPolygonMayBeConcave() throws Exception {
    WithinPolygon udf = polygon("polygon ((0 0, 4 0, 4 4, 2 1, 0 4, 0 0))");
    assertThat(call(udf, 0.5, 2.0)).isTrue();
    assertThat(call(udf, 1.0, 2.0)).as("its inner corner").isTrue();
    assertThat(call(udf, 2.0, 2.0)).as("in the notch").isFalse();
    assertThat(call(udf, 3.0, 0.25)).isTrue();
    assertThat(call(udf, 4.0, 2.0)).as("level with two corners").isFalse();
  }

  @Test
  void noPointOutsideTheBoxOfAPolygonIsInside() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      double[][] corners = new double[3 + random.nextInt(4)][];
      double west = 180;
      double east = -180;
      double south = 90;
      double north = -90;
      StringBuilder wkt = new StringBuilder("POLYGON((");
      for (int i = 0; i < corners.length; i++) {
        corners[i] = new double[] {random.nextInt(9) / 3.0, random.nextInt(9) / 7.0};
        west = Math.min(west, corners[i][0]);
        east = Math.max(east, corners[i][0]);
        south = Math.min(south, corners[i][1]);
        north = Math.max(north, corners[i][1]);
        wkt.append(corners[i][0]).append(' ').append(corners[i][1]).append(", ");
      }
      wkt.append(corners[0][0]).append(' ').append(corners[0][1]).append("))");
      WithinPolygon udf = polygon(wkt.toString());
      assertThat(call(udf, corners[0][1], corners[0][0])).as("a corner of %s", wkt).isTrue();
      for (double lon : new double[] {Math.nextUp(east), Math.nextDown(west)}) {
        assertThat(call(udf, corners[1][1], lon)).as("%s lies beside %s", lon, wkt).isFalse();
      }
      for (double lat : new double[] {Math.nextUp(north), Math.nextDown(south)}) {
        assertThat(call(udf, lat, corners[1][0])).as("%s lies beside %s", lat, wkt).isFalse();
      }
    }
  }

  @Test
  void aPolygonWithANullIsNull() throws Exception {
    assertThat(call(polygon(SQUARE_WITH_HOLE), null, 5.0)).isNull();
    assertThat(call(polygon(SQUARE_WITH_HOLE), 5.0, null)).isNull();
    assertThat(call(polygon(null), 5.0, 5.0)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POINT(1 2)",
        "POLYGON EMPTY",
        "POLYGON(())",
        "POLYGON((0 0, 1 0, 0 0))",
        "POLYGON((0 0, 1 0, 1 1, 0 1))",
        "POLYGON((0 0, 1 0, 1 x, 0 0))",
        "POLYGON((0 0, 1 0, 1 NaN, 0 0))",
        "POLYGON((0 0 0, 1 0 0, 1 1 0, 0 0 0))",
        "POLYGON((0 0, 1 0, 1 1, 0 0) (0 0, 1 0, 1 1, 0 0))",
        "POLYGON((0 0, 1 0, 1 1, 0 0),)",
        "MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)))",
      })
  void invalidPolygonTextIsAnErrorBeforeTheQueryRuns(String wkt) {
    assertThatThrownBy(() -> polygon(wkt)).isInstanceOf(UDFArgumentException.class);
  }

  @Test
  void thePolygonMustBeAConstant() {
    ObjectInspector string = PrimitiveObjectInspectorFactory.javaStringObjectInspector;
    assertThatThrownBy(
            () -> new WithinPolygon().initialize(new ObjectInspector[] {DOUBLE, DOUBLE, string}))
        .hasMessageContaining("constant");
  }

  @Test
  void hiveTreatsThemAsDeterministicAndShowsTheirNames() {
    assertThat(FunctionRegistry.isDeterministic(new WithinBoundingBox())).isTrue();
    assertThat(FunctionRegistry.isDeterministic(new WithinPolygon())).isTrue();
    assertThat(new WithinPolygon().getDisplayString(new String[] {"lat", "lon", "p"}))
        .isEqualTo("WithinPolygon(lat, lon, p)");
  }
}
