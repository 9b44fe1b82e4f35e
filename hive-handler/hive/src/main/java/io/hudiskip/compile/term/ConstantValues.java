// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.TermEvaluator.Value;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.BaseCharTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** Converts encoded values to the objects that Hive's Parquet reader returns. */
final class ConstantValues {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private ConstantValues() {}

  /** The writables for the values of a row; null for NULL. */
  static Object[] writables(List<Value> row) {
    Object[] writables = new Object[row.size()];
    for (int i = 0; i < writables.length; i++) {
      byte[] encoded = row.get(i).encoded();
      writables[i] = encoded == null ? null : writable(row.get(i).type(), encoded);
    }
    return writables;
  }

  /**
   * The writable for a value.
   *
   * @param declared the type: as in Hive, a string is cut to the length of a varchar or char
   * @throws IllegalArgumentException or {@link ArithmeticException} if the value does not fit the
   *     type
   */
  static Object writable(HiveType declared, byte[] encoded) {
    PrimitiveTypeInfo type = TypeInfoFactory.getPrimitiveTypeInfo(declared.toString());
    Object value = value(type, encoded);
    return ObjectInspectorConverters.getConverter(
            PrimitiveObjectInspectorFactory.getPrimitiveJavaObjectInspector(type),
            PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type))
        .convert(value);
  }

  private static Object value(PrimitiveTypeInfo type, byte[] encoded) {
    switch (type.getPrimitiveCategory()) {
      case BOOLEAN:
        return ValueEncoding.decodeBoolean(encoded);
      case BYTE:
        long number = ValueEncoding.decodeInteger(encoded);
        require(number == (byte) number);
        return (byte) number;
      case SHORT:
        number = ValueEncoding.decodeInteger(encoded);
        require(number == (short) number);
        return (short) number;
      case INT:
        return Math.toIntExact(ValueEncoding.decodeInteger(encoded));
      case LONG:
        return ValueEncoding.decodeInteger(encoded);
      case FLOAT:
        double real = ValueEncoding.decodeDouble(encoded);
        require(real == (float) real);
        return (float) real;
      case DOUBLE:
        return ValueEncoding.decodeDouble(encoded);
      case DECIMAL:
        return decimal((DecimalTypeInfo) type, ValueEncoding.decodeDecimal(encoded));
      case STRING:
        return text(encoded);
      case VARCHAR:
        return new HiveVarchar(text(encoded), ((BaseCharTypeInfo) type).getLength());
      case CHAR:
        return new HiveChar(text(encoded), ((BaseCharTypeInfo) type).getLength());
      case DATE:
        return Date.ofEpochDay(Math.toIntExact(ValueEncoding.decodeInteger(encoded)));
      case TIMESTAMP:
        long micros = ValueEncoding.decodeInteger(encoded);
        return Timestamp.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
      default:
        throw new IllegalArgumentException(
            "constants of type " + type.getTypeName() + " are not supported");
    }
  }

  private static HiveDecimal decimal(DecimalTypeInfo type, BigDecimal exact) {
    HiveDecimal value =
        HiveDecimal.enforcePrecisionScale(
            HiveDecimal.create(exact), type.getPrecision(), type.getScale());
    require(value != null && value.bigDecimalValue().compareTo(exact) == 0);
    return value;
  }

  private static String text(byte[] encoded) {
    String text = ValueEncoding.decodeString(encoded);
    require(Arrays.equals(ValueEncoding.encodeString(text), encoded)); // it was UTF-8
    return text;
  }

  private static void require(boolean fits) {
    if (!fits) {
      throw new IllegalArgumentException("the value does not fit the declared type");
    }
  }
}
