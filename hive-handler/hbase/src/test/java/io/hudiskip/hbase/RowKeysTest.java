// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.EncodedOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.junit.jupiter.api.Test;

class RowKeysTest {
  private static final RowKeys KEYS = RowKeys.of("/lake/flights");

  @Test
  void onlyRowsOfAPublicationLieBetweenItsPrefixAndItsEnd() {
    byte[] least = KEYS.unkeyed(7, new byte[0]);
    byte[] greatest = KEYS.keyed(7, new byte[] {2, (byte) 0xFF, (byte) 0xFF});
    assertThat(
            Arrays.asList(
                KEYS.pointer(),
                KEYS.keyed(6, new byte[] {2, 1}),
                KEYS.prefix(7),
                least,
                greatest,
                KEYS.end(7),
                KEYS.unkeyed(8, new byte[] {1}),
                RowKeys.of("/lake/flights2").pointer()))
        .isSortedAccordingTo(EncodedOrder.COMPARATOR);
  }

  @Test
  void partitionsWithAndWithoutKeysAreSeparate() {
    byte[] row = KEYS.unkeyed(7, "eu/2".getBytes(StandardCharsets.UTF_8));
    RowRange range = KEYS.unkeyed(7);
    assertThat(range.contains(row)).isTrue();
    assertThat(range.contains(KEYS.keyed(7, new byte[] {1, 0, 0}))).isFalse();
    assertThat(KEYS.key(7, row)).isEmpty();
    assertThat(KEYS.key(7, KEYS.keyed(7, new byte[] {1, 0, 0}))).containsExactly(1, 0, 0);
  }

  @Test
  void aRootIsNamedAsPythonNamesIt() {
    assertThat(RowKeys.root(new Path("file:/lake/fl ights"))).isEqualTo("/lake/fl ights");
    assertThat(RowKeys.root(new Path("/lake/100%"))).isEqualTo("/lake/100%");
    assertThat(RowKeys.root(new Path("hdfs://nn:8020/lake"))).isEqualTo("hdfs://nn:8020/lake");
    assertThat(RowKeys.root(new Path("s3a://bucket/lake/x"))).isEqualTo("s3a://bucket/lake/x");
  }
}
