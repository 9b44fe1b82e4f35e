// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import io.hudiskip.conformance.JsonValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans and keys as Python writes them: {@code partition_plans.json}. */
class PlanConformanceTest {

  static List<JsonNode> vectors() throws IOException {
    return ConformanceVectors.load("partition_plans.json", "vectors");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void eachValueIsFoundByItsPlace(JsonNode vector) throws Exception {
    KeyLayout layout = plan(vector).layout();
    Map<String, byte[]> keys = keys(vector);
    assertThat(keys).isNotEmpty();
    for (Map.Entry<String, byte[]> entry : keys.entrySet()) {
      JsonNode values = vector.get("partitions").get(entry.getKey());
      for (int i = 0; i < values.size(); i++) {
        HiveType type = layout.columns().get(i).type();
        byte[] expected = values.get(i).isNull() ? null : JsonValues.encode(type, values.get(i));
        assertThat(layout.value(entry.getValue(), i)).as(entry.getKey()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aPlanLeavesThePartitionsOfTheVector(JsonNode vector) throws Exception {
    PartitionPlan plan = plan(vector);
    Map<String, byte[]> keys = keys(vector);
    List<String> left = new ArrayList<>();
    for (Map.Entry<String, byte[]> entry : keys.entrySet()) {
      if (isLeft(plan, entry.getValue())) {
        left.add(entry.getKey());
      }
    }
    vector
        .get("partitions")
        .fieldNames()
        .forEachRemaining(
            path -> {
              if (!keys.containsKey(path)) {
                left.add(path); // what has no key is always left
              }
            });
    List<String> expected = new ArrayList<>();
    vector.get("left").forEach(path -> expected.add(path.textValue()));
    assertThat(left).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(plan.toString()).isEqualTo(vector.get("text").textValue());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void bytesThatAreCutOrChangedAreRefusedOrRead(JsonNode vector) throws Exception {
    byte[] bytes = Hex.decode(vector.get("plan").textValue());
    Random random = new Random(14);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = Arrays.copyOf(bytes, bytes.length - random.nextInt(3));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        PlanDecoder.decode(damaged);
      } catch (PlanFormatException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }

  @Test
  void malformedKeysAreRefused() throws Exception {
    KeyLayout layout = KeyLayout.of(Arrays.asList("year", "dest"), Arrays.asList("int", "string"));
    for (String key :
        new String[] {
          "", // no places
          "01", // fewer bytes than places
          "0101ffff0001", // a place behind the end
          "010100010000", // places that descend
          "010300000001", // neither NULL nor a value
          "0101010000000000", // NULL, and more
          "02800000000007dd0100000008", // seven bytes
          "010241000141000100000001", // an end within
          "0102410000000001", // no end
        }) {
      assertThatThrownBy(
              () -> {
                layout.value(Hex.decode(key), 0);
                layout.value(Hex.decode(key), 1);
              })
          .as(key)
          .isInstanceOf(PlanFormatException.class);
    }
  }

  @Test
  void aPlanOfAnotherVersionIsRefused() throws Exception {
    io.hudiskip.thrift.PartitionPlan message =
        new io.hudiskip.thrift.PartitionPlan().setFormatVersion(2);
    assertThatThrownBy(() -> PlanDecoder.decode(PlanDecoder.encode(message)))
        .isInstanceOf(PlanFormatException.class)
        .hasMessage("the plan has format version 2, but this build reads version 1");
  }

  @Test
  void aPlanOfOneRangeWithoutEndsIsTheWholeTable() throws Exception {
    for (JsonNode vector : vectors()) {
      boolean isWhole = vector.get("text").textValue().equals("Scan(X, X+)");
      assertThat(plan(vector).isWholeTable()).as(vector.toString()).isEqualTo(isWhole);
    }
  }

  private static boolean isLeft(PartitionPlan plan, byte[] key) throws PlanFormatException {
    List<ScanRange> found = new ArrayList<>();
    for (ScanRange scan : plan.scans()) {
      if (EncodedOrder.compare(scan.start(), key) <= 0
          && (!scan.stop().isPresent() || EncodedOrder.compare(key, scan.stop().get()) < 0)) {
        found.add(scan);
      }
    }
    assertThat(found).as("ranges that have the key").hasSizeLessThan(2);
    if (found.isEmpty()) {
      return false;
    }
    Optional<PartitionFilter> filter = found.get(0).filter();
    return !filter.isPresent()
        || filter.get().matches(Collections.singletonList(key), TermEvaluator.NONE).get(0);
  }

  private static PartitionPlan plan(JsonNode vector) throws PlanFormatException {
    return PlanDecoder.decode(Hex.decode(vector.get("plan").textValue()));
  }

  private static Map<String, byte[]> keys(JsonNode vector) {
    Map<String, byte[]> keys = new LinkedHashMap<>();
    vector
        .get("keys")
        .fields()
        .forEachRemaining(
            entry -> keys.put(entry.getKey(), Hex.decode(entry.getValue().textValue())));
    return keys;
  }
}
