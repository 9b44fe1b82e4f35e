// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import io.hudiskip.encoding.ValueEncoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ValueSketchTest {
  private static ValueSketch sketch(byte[] content) {
    return (ValueSketch) ValueSketch.of(content).get();
  }

  @TestFactory
  Stream<DynamicTest> countsAsPythonDoes() throws IOException {
    return ConformanceVectors.tests(
        "sketches.json",
        "vectors",
        vector -> {
          List<ValueSketch> files = new ArrayList<>();
          for (JsonNode file : vector.get("files")) {
            ValueSketch sketch = sketch(Hex.decode(file.get("content").textValue()));
            assertThat((double) sketch.meanLength())
                .isCloseTo(file.get("mean_length").doubleValue(), Offset.offset(1e-4));
            assertThat(sketch.maxLength()).isEqualTo(file.get("max_length").longValue());
            files.add(sketch);
          }
          assertThat(ValueSketch.distinctValues(files))
              .hasValue(vector.get("distinct_values").longValue());
        });
  }

  @Test
  void sketchesOfBothLanguagesHaveTheSameBytes() throws IOException {
    JsonNode file = ConformanceVectors.load("sketches.json", "vectors").get(0).get("files").get(0);
    List<byte[]> values = new ArrayList<>();
    for (long value = 0; value < file.get("range").get(1).longValue(); value++) {
      values.add(ValueEncoding.encodeInteger(value));
    }
    assertThat(Hex.encode(Sketches.of(values))).isEqualTo(file.get("content").textValue());
  }

  @Test
  void itAnswersNothingAboutAFile() throws IOException {
    ValueSketch sketch = sketch(content());
    assertThat(sketch.allValues()).isEmpty();
    assertThat(sketch.mayContain(new byte[0])).isTrue();
    assertThat(sketch.mayMatch(new byte[0])).isTrue();
  }

  @Test
  void malformedSketchesCountNothing() throws IOException {
    byte[] good = content();
    assertThat(ValueSketch.of(new byte[8])).as("lengths alone").isEmpty();
    Random random = new Random(5);
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int change = 0; bytes.length > 0 && change <= random.nextInt(3); change++) {
        bytes[random.nextInt(Math.min(32, bytes.length))] = (byte) random.nextInt();
      }
      // None of it ends in an exception.
      Optional<Content> read = ValueSketch.of(bytes);
      refused +=
          read.isPresent()
                  && ValueSketch.distinctValues(Collections.singletonList((ValueSketch) read.get()))
                      .isPresent()
              ? 0
              : 1;
    }
    assertThat(refused).as("refused inputs").isPositive();
  }

  private static byte[] content() throws IOException {
    JsonNode file = ConformanceVectors.load("sketches.json", "vectors").get(3).get("files").get(1);
    return Hex.decode(file.get("content").textValue());
  }
}
