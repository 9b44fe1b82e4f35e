// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.Test;

class RunLengthsTest {

  @Test
  void whatParquetsEncoderWroteIsDecoded() throws Exception {
    Random random = new Random(5);
    for (int bitWidth = 0; bitWidth <= Integer.SIZE; bitWidth++) {
      for (int round = 0; round < 20; round++) {
        int[] values = new int[random.nextInt(2000)];
        RunLengthBitPackingHybridEncoder encoder =
            new RunLengthBitPackingHybridEncoder(
                bitWidth, 16, 1 << 16, HeapByteBufferAllocator.getInstance());
        int run = 0;
        int value = 0;
        for (int i = 0; i < values.length; i++) {
          if (run == 0) {
            run = random.nextInt(round % 2 == 0 ? 3 : 100) + 1;
            value = bitWidth == 0 ? 0 : random.nextInt() >>> (Integer.SIZE - bitWidth);
          }
          run--;
          values[i] = value;
          encoder.writeInt(value);
        }
        assertThat(RunLengths.decode(encoder.toBytes().toByteBuffer(), bitWidth, values.length))
            .as("%d values of %d bits", values.length, bitWidth)
            .isEqualTo(values);
      }
    }
  }
}
