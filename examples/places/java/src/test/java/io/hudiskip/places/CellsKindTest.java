// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.compile.statistics.Content;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CellsKindTest {
  /** A cell of level 28: the smallest cells 0x5000000000000001 to 0x500000000000001f. */
  private static final long CELL = 0x5000000000000010L;

  /** On another face, of which the id is negative as a signed number. */
  private static final long FAR = 0xb000000000000010L;

  private static byte[] bytes(long... cells) {
    ByteBuffer buffer = ByteBuffer.allocate(cells.length * Long.BYTES);
    for (long cell : cells) {
      buffer.putLong(cell);
    }
    return buffer.array();
  }

  private static Content content(long... cells) {
    return new CellsKind().read(bytes(cells)).get();
  }

  @Test
  void theKindIsFoundByItsService() {
    assertThat(IndexKinds.named("cells")).isPresent();
  }

  @Test
  void aFileIsKeptIfOneOfItsCellsMeetsOneOfTheQuestion() {
    Content cells = content(CELL, FAR);
    assertThat(cells.mayMatch(bytes(CELL))).isTrue();
    assertThat(cells.mayMatch(bytes(FAR))).isTrue();
    assertThat(cells.mayMatch(bytes(0x5000000000000001L))).as("a cell within it").isTrue();
    assertThat(cells.mayMatch(bytes(0x500000000000001fL))).as("its last one").isTrue();
    assertThat(cells.mayMatch(bytes(0x5000000000000040L))).as("the cell above it").isTrue();
    assertThat(cells.mayMatch(bytes(0x5000000000000021L))).as("the next one").isFalse();
    assertThat(cells.mayMatch(bytes(0x4fffffffffffffffL))).as("the one before").isFalse();
    assertThat(cells.mayMatch(bytes())).as("no place is wanted").isFalse();
    assertThat(content().mayMatch(bytes(CELL))).as("no place is there").isFalse();
  }

  @Test
  void malformedCellSetsAnswerNothing() {
    assertThat(new CellsKind().read(new byte[] {1, 2, 3})).isEmpty();
    assertThat(new CellsKind().read(bytes(FAR, CELL))).as("unsigned order").isEmpty();
    assertThat(new CellsKind().read(bytes(CELL, 0x5000000000000011L))).as("in it").isEmpty();
    assertThat(new CellsKind().read(bytes(0))).isEmpty();
    assertThat(content(CELL).mayMatch(new byte[] {1})).isTrue();
  }
}
