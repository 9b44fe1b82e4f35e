// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;

class FileBoundsTest {
  @Test
  void travelsWithASplit() throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    FileBounds.write(
        out,
        Arrays.asList(
            new FileBounds("c", new byte[] {1, 2}, new byte[] {3}),
            new FileBounds("d", null, null)));
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    List<FileBounds> read = FileBounds.read(in);
    assertThat(read).hasSize(2);
    assertThat(read.get(0).isAllNull()).isFalse();
    assertThat(read.get(0).lower()).containsExactly(1, 2);
    assertThat(read.get(0).upper()).containsExactly(3);
    assertThat(read.get(1).isAllNull()).isTrue();
    assertThat(in.read()).as("nothing is left").isEqualTo(-1);
  }
}
