// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.AllValues;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.conformance.Expressions;
import io.hudiskip.conformance.RandomFilters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Generates files of rows, partial statistics of them, and expressions, and checks every row: a
 * file with a row for which the expression is TRUE must be kept.
 */
class SkippingSoundnessTest {
  private static final int ROUNDS = 3000;
  private static final int FILES = 20;
  private static final String[] COLUMNS = {"a", "b"};

  private final Random random = new Random(20260101);
  private final RandomFilters filters = new RandomFilters(random, COLUMNS);
  private long skipped;
  private long skippedByTerms;

  @Test
  void noFileWithAMatchingRowIsSkipped() {
    for (int round = 0; round < ROUNDS; round++) {
      List<List<Long[]>> files = new ArrayList<>();
      Map<String, ColumnStatistics[]> columns = new HashMap<>();
      for (String column : COLUMNS) {
        columns.put(column, new ColumnStatistics[FILES]);
      }
      for (int file = 0; file < FILES; file++) {
        List<Long[]> rows = rows();
        files.add(rows);
        for (int column = 0; column < COLUMNS.length; column++) {
          if (random.nextInt(20) > 0) {
            columns.get(COLUMNS[column])[file] = range(rows, column);
          }
        }
      }
      StatisticsTable statistics = StatisticsTable.of(FILES, columns);
      RandomFilters.Filter filter = filters.filter(round % 4);
      HudiExpression expression = Expressions.expression(filter.nodes);
      BitSet kept = expression.evaluate(statistics, RandomFilters::outcome);
      // Each node over all files, not only over those that it still decides.
      assertThat(expression.explain(statistics, RandomFilters::outcome).get(0).filesKept())
          .isEqualTo(kept.cardinality());
      for (int file = 0; file < FILES; file++) {
        if (!kept.get(file)) {
          skipped++;
          skippedByTerms += filter.nodes.size() == 1 && filter.nodes.get(0).isSetTerm() ? 1 : 0;
          assertThat(files.get(file))
              .as("rows of a file that %s skips", expression)
              .noneMatch(filter.isTrue);
        }
      }
    }
    assertThat(skipped)
        .as("skipped files: the check means something only when there are many")
        .isGreaterThan(ROUNDS * FILES / 10);
    assertThat(skippedByTerms).as("files that a term alone skips").isGreaterThan(50);
  }

  private List<Long[]> rows() {
    int count = random.nextInt(6);
    int base = random.nextInt(12);
    int spread = 1 + random.nextInt(4);
    int nulls = random.nextInt(4);
    List<Long[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Long[] row = new Long[COLUMNS.length];
      for (int column = 0; column < row.length; column++) {
        row[column] =
            random.nextInt(4) < nulls ? null : Long.valueOf(base + random.nextInt(spread));
      }
      rows.add(row);
    }
    return rows;
  }

  private ColumnStatistics range(List<Long[]> rows, int column) {
    long[] values =
        rows.stream().map(row -> row[column]).filter(Objects::nonNull).mapToLong(v -> v).toArray();
    // Bounds need not be reached, and any part may be absent.
    long slack = random.nextInt(4) == 0 ? 1 : 0;
    boolean hasLower = values.length > 0 && random.nextInt(8) > 0;
    boolean hasUpper = values.length > 0 && random.nextInt(8) > 0;
    ColumnStatistics range =
        new ColumnStatistics(
            HiveType.parse("int"),
            hasLower
                ? ValueEncoding.encodeInteger(LongStream.of(values).min().getAsLong() - slack)
                : null,
            hasUpper
                ? ValueEncoding.encodeInteger(LongStream.of(values).max().getAsLong() + slack)
                : null,
            random.nextInt(8) > 0 ? rows.size() - values.length : ColumnStatistics.UNKNOWN_COUNT,
            random.nextInt(8) > 0 ? rows.size() : ColumnStatistics.UNKNOWN_COUNT,
            ColumnStatistics.UNKNOWN_COUNT);
    List<byte[]> encoded =
        LongStream.of(values)
            .distinct()
            .mapToObj(ValueEncoding::encodeInteger)
            .collect(Collectors.toList());
    if (random.nextInt(4) == 0) {
      range = range.with("values", new AllValues(encoded));
    }
    return random.nextInt(4) == 0 ? range.with("bloom", BloomFilters.of(encoded)) : range;
  }
}
