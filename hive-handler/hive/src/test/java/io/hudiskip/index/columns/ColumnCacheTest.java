// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.NoIndex;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class ColumnCacheTest {
  private final ColumnCache<Integer> cache = new ColumnCache<>(10);
  private int found;

  private int get(String root, String column, String type) throws IndexUnavailableException {
    ReadColumn read = new ReadColumn(column, HiveType.parse(type).get());
    return cache.get(new Path(root), new NoIndex("none"), read, () -> ++found);
  }

  @Test
  void findsOnceForATableAndAColumnOfAType() throws IndexUnavailableException {
    assertThat(get("/a", "c", "int")).isEqualTo(1);
    assertThat(get("/a", "c", "int")).as("it is known").isEqualTo(1);
    assertThat(get("/a", "d", "int")).isEqualTo(2);
    assertThat(get("/a", "c", "bigint")).isEqualTo(3);
    assertThat(get("/b", "c", "int")).isEqualTo(4);
  }
}
