// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Statistics of an index, with a second source for files where it has none of a column, or of a
 * column that the source {@link #replaces}.
 */
public final class Supplemented implements StatisticsTable {
  private final StatisticsTable first;
  private final StatisticsTable second;
  private final IntUnaryOperator positions;

  /** Both cover the same files in the same order. */
  public Supplemented(StatisticsTable first, StatisticsTable second) {
    this(first, second, IntUnaryOperator.identity());
  }

  /** {@code positions} maps a file of {@code first} to its position in {@code second}. */
  public Supplemented(StatisticsTable first, StatisticsTable second, IntUnaryOperator positions) {
    this.first = first;
    this.second = second;
    this.positions = positions;
  }

  @Override
  public int fileCount() {
    return first.fileCount();
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    Optional<ColumnVector> one = first.column(name);
    Optional<ColumnVector> other =
        second.column(name).map(vector -> file -> vector.range(positions.applyAsInt(file)));
    if (!one.isPresent() || !other.isPresent()) {
      return one.isPresent() ? one : other;
    }
    ColumnVector preferred = second.replaces(name) ? other.get() : one.get();
    ColumnVector otherwise = second.replaces(name) ? one.get() : other.get();
    return Optional.of(
        file -> {
          ColumnStatistics known = preferred.range(file);
          return known == null ? otherwise.range(file) : known;
        });
  }

  @Override
  public boolean replaces(String column) {
    return first.replaces(column) || second.replaces(column);
  }
}
