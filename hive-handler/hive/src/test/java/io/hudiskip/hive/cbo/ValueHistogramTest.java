// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.apache.hive.org.apache.datasketches.kll.KllFloatsSketch;
import org.apache.hive.org.apache.datasketches.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hive's own build of the library reads what ours has written. */
class ValueHistogramTest {
  private final ValueHistogram histogram = new ValueHistogram();

  private KllFloatsSketch read() {
    return KllFloatsSketch.heapify(Memory.wrap(histogram.serialized().get()));
  }

  @Test
  void theRowsOfAFileAreSpreadBetweenItsBounds() {
    histogram.add(10, 20, 1_000_003);
    KllFloatsSketch found = read();
    assertThat(found.getN()).isEqualTo(1_000_003);
    assertThat(found.getMinValue()).isEqualTo(10F);
    assertThat(found.getMaxValue()).isEqualTo(20F);
    for (int i = 1; i < 10; i++) {
      assertThat(found.getRank(10F + i)).isCloseTo(i / 10.0, offset(0.02));
    }
  }

  @Test
  void filesWithFewRowsOrOneValueKeepTheirBounds() {
    histogram.add(5, 5, 7);
    histogram.add(8, 8, 1);
    histogram.add(-3, 9, 2);
    KllFloatsSketch found = read();
    assertThat(found.getN()).isEqualTo(10);
    assertThat(found.getMinValue()).isEqualTo(-3F);
    assertThat(found.getMaxValue()).isEqualTo(9F);
    assertThat(found.getRank(5.5F)).isEqualTo(0.8);
  }

  @Test
  void aSortedTableOfManyFilesHasAsManySteps() {
    int files = 50_000;
    for (int file = 0; file < files; file++) {
      histogram.add(file, file + 0.9, 1_000_000);
    }
    KllFloatsSketch found = read();
    assertThat(found.getN()).isEqualTo(files * 1_000_000L);
    assertThat(found.getMaxValue()).isEqualTo(files - 0.1F);
    for (int i = 1; i < 10; i++) {
      assertThat(found.getRank(files * i / 10F)).isCloseTo(i / 10.0, offset(0.02));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 300, 1_000, 1_366, 5_000, 20_000})
  void valuesThatLieAllThroughTheFilesAreEvenlySpread(int files) {
    for (int file = 0; file < files; file++) {
      histogram.add(0, 1, 10_000);
    }
    KllFloatsSketch found = read();
    for (int i = 1; i < 10; i++) {
      assertThat(found.getRank(i / 10F)).as("%d files", files).isCloseTo(i / 10.0, offset(0.02));
    }
    double[] below = found.getCDF(new float[] {0.4F, 0.42F});
    assertThat(below[1] - below[0]).as("a small range").isCloseTo(0.02, offset(0.01));
  }

  @ParameterizedTest
  @CsvSource({"-1e20, 3", "-9223372036854775808, 5", "-7e-31, 0", "-1e-60, 0", "1e-30, 1e-29"})
  void theBoundsAreValues(double lower, double upper) {
    histogram.add(lower, upper, 1_000);
    assertThat(read().getMinValue()).isEqualTo((float) lower + 0.0F);
    assertThat(read().getMaxValue()).isEqualTo((float) upper);
    assertThat(Float.floatToIntBits(read().getMinValue()))
        .as("Hive fails on -0")
        .isNotEqualTo(Float.floatToIntBits(-0.0F));
  }

  @Test
  void oneRowIsAHistogram() {
    histogram.add(5, 5, 1);
    assertThat(read().getN()).isEqualTo(1);
    assertThat(read().getRank(5.5F)).isEqualTo(1);
  }

  @Test
  void boundsMayBeAsFarApartAsCanBe() {
    histogram.add(Long.MIN_VALUE, Long.MAX_VALUE, 3);
    histogram.add(-1e38, 1e38, 100);
    assertThat(read().getN()).isEqualTo(103);
    assertThat(read().getMaxValue()).isEqualTo(1e38F);
  }

  @Test
  void noFileHasNoHistogram() {
    assertThat(histogram.serialized()).isEmpty();
  }
}
