// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * What was found out about columns of tables, as long as the table's index is in the same state.
 * Thread-safe.
 */
public final class ColumnCache<V> {
  private final Cache<List<Object>, V> known;

  /**
   * Creates a cache.
   *
   * @param size the most columns that are remembered
   */
  public ColumnCache(int size) {
    known = Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
  }

  /** Finds something out about a column. */
  @FunctionalInterface
  public interface Finding<V> {
    V find() throws IndexUnavailableException;
  }

  /**
   * What is known of a column.
   *
   * @param root of the table
   * @param finding called unless it is known; its result is not null
   */
  public V get(Path root, StatisticsIndex index, ReadColumn column, Finding<V> finding)
      throws IndexUnavailableException {
    List<Object> key =
        Arrays.asList(root, index.generation(), index.instant(), column.name(), column.type());
    V found = known.getIfPresent(key);
    if (found == null) {
      found = finding.find();
      known.put(key, found);
    }
    return found;
  }
}
