// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import io.hudiskip.conformance.JsonValues;
import io.hudiskip.conformance.JvmZones;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the encoding to {@code encoding.json} and {@code types.json}. */
class EncodingConformanceTest {
  private static final int MAX_BOUND_BYTES = 64;

  @TestFactory
  Stream<DynamicTest> valuesHaveTheBytesThatBothLanguagesAgreedOn() throws IOException {
    return ConformanceVectors.tests(
        "encoding.json", "vectors", EncodingConformanceTest::checkValue);
  }

  private static void checkValue(JsonNode vector) throws Exception {
    HiveType type = JsonValues.type(vector.get("type").textValue());
    byte[] expected = Hex.decode(vector.get("bytes").textValue());
    JvmZones.inEach(
        zone ->
            assertThat(Hex.encode(JsonValues.encode(type, vector.get("value"))))
                .as("%s %s in zone %s", type, vector.get("value"), zone)
                .isEqualTo(Hex.encode(expected)));
    assertThat(ValueEncoding.isWellFormed(type.kind(), expected))
        .as("bytes of %s are well-formed", type)
        .isTrue();
    assertThat(Hex.encode(reencoded(type, expected)))
        .as("decoding loses nothing of %s", type)
        .isEqualTo(Hex.encode(expected));
  }

  private static byte[] reencoded(HiveType type, byte[] bytes) {
    switch (type.kind()) {
      case BOOLEAN:
        return ValueEncoding.encodeBoolean(ValueEncoding.decodeBoolean(bytes));
      case FLOAT:
        return ValueEncoding.encodeDouble(ValueEncoding.decodeDouble(bytes));
      case DECIMAL:
        return JsonValues.encodeDecimal(ValueEncoding.decodeDecimal(bytes));
      case STRING:
        return ValueEncoding.encodeString(ValueEncoding.decodeString(bytes));
      default:
        return ValueEncoding.encodeInteger(ValueEncoding.decodeInteger(bytes));
    }
  }

  @TestFactory
  Stream<DynamicTest> theOrderOfBytesIsTheOrderOfValues() throws IOException {
    return ConformanceVectors.tests("encoding.json", "orders", EncodingConformanceTest::checkOrder);
  }

  private static void checkOrder(JsonNode vector) {
    HiveType type = JsonValues.type(vector.get("type").textValue());
    List<byte[]> encoded = new ArrayList<>();
    vector.get("values").forEach(value -> encoded.add(JsonValues.encode(type, value)));
    assertThat(encoded).as("values of %s", vector.get("name")).hasSizeGreaterThan(1);
    for (int i = 0; i < encoded.size(); i++) {
      for (int j = 0; j < encoded.size(); j++) {
        assertThat(Integer.signum(EncodedOrder.compare(encoded.get(i), encoded.get(j))))
            .as("%s against %s", vector.get("values").get(i), vector.get("values").get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> cutBoundsAreStillBounds() throws IOException {
    return ConformanceVectors.tests(
        "encoding.json", "truncation", EncodingConformanceTest::checkTruncation);
  }

  private static void checkTruncation(JsonNode vector) {
    byte[] value = Hex.decode(vector.get("bytes").textValue());
    byte[] lower = Hex.decode(vector.get("lower").textValue());
    byte[] upper = Hex.decodeNullable(vector.get("upper"));
    assertThat(EncodedOrder.compare(lower, value)).as("lower against value").isNotPositive();
    assertThat(lower).as("lower bound").hasSizeLessThanOrEqualTo(MAX_BOUND_BYTES);
    if (value.length <= MAX_BOUND_BYTES) {
      assertThat(lower).as("a short bound is kept").isEqualTo(value);
      assertThat(upper).as("a short bound is kept").isEqualTo(value);
    } else if (upper != null) {
      assertThat(upper).as("upper bound").hasSizeLessThanOrEqualTo(MAX_BOUND_BYTES);
      byte[] largestWithPrefix = Arrays.copyOf(lower, 2 * value.length);
      Arrays.fill(largestWithPrefix, lower.length, largestWithPrefix.length, (byte) 0xFF);
      assertThat(EncodedOrder.compare(largestWithPrefix, upper))
          .as("everything that begins like the value is below the upper bound")
          .isNegative();
    } else {
      assertThat(Hex.encode(lower)).as("nothing is above this prefix").matches("(ff)*");
    }
  }

  @TestFactory
  Stream<DynamicTest> typesAreReadWithoutLossOrNot() throws IOException {
    return ConformanceVectors.tests(
        "types.json",
        "vectors",
        vector -> {
          HiveType stored = JsonValues.type(vector.get("stored").textValue());
          HiveType declared = JsonValues.type(vector.get("declared").textValue());
          assertThat(HiveType.readsWithoutLoss(stored, declared))
              .isEqualTo(vector.get("reads_without_loss").booleanValue());
        });
  }

  @Test
  void damagedDecimalsAreNotWellFormed() {
    for (String hex :
        new String[] {
          "",
          "00",
          "02",
          "03",
          "0101",
          "028000000130",
          "02800000013031",
          "0280000001313a",
          "028000000131ff",
          "007ffffffece",
          "007ffffffecf00",
          "027fffffff",
          "02ffffffff31",
          "020000000031"
        }) {
      assertThat(ValueEncoding.isWellFormed(HiveType.Kind.DECIMAL, Hex.decode(hex)))
          .as("decimal bytes %s", hex)
          .isFalse();
    }
  }

  @Test
  void namesThatAreNoHiveTypesAreNotUnderstood() {
    for (String name :
        new String[] {
          "", "number", "decimal(39,0)", "decimal(5,6)", "decimal(0,0)", "decimal()", "int(4)",
          "varchar", "varchar(0)", "varchar(1,2)", "char(256)", "array", "map<>", "big int"
        }) {
      assertThat(HiveType.parse(name)).as("type name \"%s\"", name).isEmpty();
    }
  }
}
