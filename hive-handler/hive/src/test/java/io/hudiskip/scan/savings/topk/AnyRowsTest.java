// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnyRowsTest {

  @Test
  void fewRowsAreInTheLargestOfEqualFiles() {
    long[] rows = {100, 100, 100};
    assertThat(AnyRows.mostBytes(10, rows, new long[] {5, 9, 7})).isEqualTo(9);
    assertThat(AnyRows.mostBytes(100, rows, new long[] {5, 9, 7})).isEqualTo(9);
    assertThat(AnyRows.mostBytes(101, rows, new long[] {5, 9, 7}))
        .as("one is read to its end, and another one opened")
        .isEqualTo(9 + 9);
  }

  @Test
  void filesWithoutRowsMayComeFirst() {
    assertThat(AnyRows.mostBytes(1, new long[] {0, 0, 50}, new long[] {3, 4, 100}))
        .isEqualTo(3 + 4 + 100);
  }

  @Test
  void aTableWithFewerRowsIsReadAsAWhole() {
    assertThat(AnyRows.mostBytes(99, new long[] {2, 3}, new long[] {20, 30}))
        .isGreaterThanOrEqualTo(50);
    assertThat(AnyRows.mostBytes(1, new long[0], new long[0])).isZero();
  }

  /** Whatever order the files are read in. */
  @Test
  void noOrderOpensMore() {
    Random random = new Random(7);
    for (int trial = 0; trial < 20_000; trial++) {
      int files = 1 + random.nextInt(7);
      long[] rows = random.longs(files, 0, 6).toArray();
      long[] bytes = random.longs(files, 0, 50).toArray();
      long wanted = 1L + random.nextInt(12);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      long opened = 0;
      long found = 0;
      for (int file : order) {
        if (found >= wanted) {
          break;
        }
        opened += bytes[file];
        found += rows[file];
      }
      assertThat(AnyRows.mostBytes(wanted, rows, bytes)).isGreaterThanOrEqualTo(opened);
    }
  }
}
