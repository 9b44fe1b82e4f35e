// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Optional;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;

class SupplementedTest {
  private static final ColumnStatistics OF_INDEX = statistics();
  private static final ColumnStatistics BESIDE = statistics();

  @Test
  void prefersTheIndexAndFallsBackToTheRest() {
    StatisticsTable table =
        new Supplemented(table("a", OF_INDEX, null), table("a", BESIDE, BESIDE));
    assertThat(table.fileCount()).isEqualTo(2);
    assertThat(range(table, "a", 0)).isSameAs(OF_INDEX);
    assertThat(range(table, "a", 1)).isSameAs(BESIDE);
  }

  @Test
  void hasTheColumnsOfBoth() {
    StatisticsTable table = new Supplemented(table("a", OF_INDEX), table("b", BESIDE));
    assertThat(range(table, "a", 0)).isSameAs(OF_INDEX);
    assertThat(range(table, "b", 0)).isSameAs(BESIDE);
    assertThat(table.column("c")).isEmpty();
  }

  @Test
  void findsItsFilesAmongMore() {
    StatisticsTable table =
        new Supplemented(table("a", null, null), table("a", null, BESIDE, null), file -> file + 1);
    assertThat(range(table, "a", 0)).isSameAs(BESIDE);
    assertThat(range(table, "a", 1)).isNull();
  }

  @Nullable
  private static ColumnStatistics range(StatisticsTable table, String column, int file) {
    return table.column(column).get().range(file);
  }

  private static StatisticsTable table(String column, ColumnStatistics... ranges) {
    return StatisticsTable.of(ranges.length, Collections.singletonMap(column, ranges));
  }

  private static ColumnStatistics statistics() {
    return new ColumnStatistics(Optional.empty(), null, null, 0, 1, 0);
  }
}
