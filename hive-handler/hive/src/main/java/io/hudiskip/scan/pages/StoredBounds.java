// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.pages;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Encodes bounds that a Parquet file has of one column's values ({@code docs/inside/formats.md},
 * section 1). Immutable.
 *
 * <p>Not of floats, since bounds leave NaN out; of decimals; and of INT96, whose order is not
 * defined.
 */
final class StoredBounds {
  /** From here on, writers and Hive agree on the calendar. */
  private static final long FIRST_AGREED_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  private final HiveType type;
  private final long microsPerUnit;

  private StoredBounds(String type, long microsPerUnit) {
    this.type = HiveType.parse(type).orElseThrow(AssertionError::new);
    this.microsPerUnit = microsPerUnit;
  }

  /** Those of a field of a file's schema; empty if they prove nothing about what Hive reads. */
  static Optional<StoredBounds> of(Type field) {
    if (!field.isPrimitive() || field.isRepetition(Type.Repetition.REPEATED)) {
      return Optional.empty();
    }
    PrimitiveType primitive = field.asPrimitiveType();
    LogicalTypeAnnotation logical = primitive.getLogicalTypeAnnotation();
    switch (primitive.getPrimitiveTypeName()) {
      case BOOLEAN:
        return logical == null ? plain("boolean") : Optional.empty();
      case INT32:
        if (logical instanceof DateLogicalTypeAnnotation) {
          return plain("date");
        }
        return isSigned(logical) ? plain("int") : Optional.empty();
      case INT64:
        if (logical instanceof TimestampLogicalTypeAnnotation) {
          return moment(((TimestampLogicalTypeAnnotation) logical).getUnit());
        }
        return isSigned(logical) ? plain("bigint") : Optional.empty();
      case BINARY:
        return logical instanceof StringLogicalTypeAnnotation ? plain("string") : Optional.empty();
      default:
        return Optional.empty();
    }
  }

  private static Optional<StoredBounds> plain(String type) {
    return Optional.of(new StoredBounds(type, 1));
  }

  private static Optional<StoredBounds> moment(LogicalTypeAnnotation.TimeUnit unit) {
    switch (unit) {
      case MICROS:
        return Optional.of(new StoredBounds("timestamp_from_micros", 1));
      case MILLIS:
        return Optional.of(
            new StoredBounds("timestamp_from_millis", TimeUnit.MILLISECONDS.toMicros(1)));
      default:
        return Optional.empty();
    }
  }

  private static boolean isSigned(@Nullable LogicalTypeAnnotation logical) {
    return logical == null
        || (logical instanceof IntLogicalTypeAnnotation
            && ((IntLogicalTypeAnnotation) logical).isSigned());
  }

  /** The type under which an index records such values. */
  HiveType type() {
    return type;
  }

  /**
   * Encodes a bound.
   *
   * @param plain in Parquet's plain encoding, without the length of a string
   * @return null if nothing follows from it
   */
  @Nullable
  byte[] encode(PrimitiveTypeName physical, byte[] plain) {
    switch (physical) {
      case BOOLEAN:
        return plain.length == 1 ? ValueEncoding.encodeBoolean(plain[0] != 0) : null;
      case INT32:
        return plain.length == Integer.BYTES ? encode(littleEndian(plain).getInt()) : null;
      case INT64:
        return plain.length == Long.BYTES ? encode(littleEndian(plain).getLong()) : null;
      default: // a string, which may be cut: the lower bound is then less, and the upper one
        // greater
        return plain.clone();
    }
  }

  private static ByteBuffer littleEndian(byte[] plain) {
    return ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Nullable
  private byte[] encode(long number) {
    switch (type.kind()) {
      case DATE:
        return number < FIRST_AGREED_DAY ? null : ValueEncoding.encodeDate(number);
      case TIMESTAMP:
        long first = TimeUnit.DAYS.toMicros(FIRST_AGREED_DAY) / microsPerUnit;
        return number < first || number > Long.MAX_VALUE / microsPerUnit
            ? null
            : ValueEncoding.encodeTimestamp(number * microsPerUnit);
      default:
        return ValueEncoding.encodeInteger(number);
    }
  }
}
