// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.statistics.ValueBloomFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueBloomFilterTest {

  private static List<byte[]> multiplesOf3(int count) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(encodeInteger(3L * i));
    }
    return values;
  }

  @Test
  void aFilterOfNothingDeniesEveryValue() {
    assertThat(BloomFilters.of(Collections.emptyList()).mayContain(encodeInteger(0))).isFalse();
  }

  @Test
  void malformedFiltersAnswerNothing() {
    byte[] good = BloomFilters.bytes(multiplesOf3(10), 0.01);
    assertThat(ValueBloomFilter.of(new byte[0])).isEmpty();
    assertThat(ValueBloomFilter.of(Arrays.copyOf(good, good.length - 1)))
        .as("one byte short")
        .satisfiesAnyOf(
            filter -> assertThat(filter).isEmpty(),
            filter -> assertThat(multiplesOf3(10)).allMatch(filter.get()::mayContain));
    Random random = new Random(5);
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int change = 0; bytes.length > 0 && change <= random.nextInt(3); change++) {
        bytes[random.nextInt(Math.min(32, bytes.length))] = (byte) random.nextInt();
      }
      // Neither of the two ends in an exception.
      refused +=
          ValueBloomFilter.of(bytes).map(filter -> filter.mayContain(good)).isPresent() ? 0 : 1;
    }
    assertThat(refused).as("refused inputs").isPositive();
  }
}
