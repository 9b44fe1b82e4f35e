// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A set of S2 cells, as {@code cell_union.py} writes it: 8-byte ids, ascending as unsigned numbers,
 * no cell within another. An id is the middle of the id range of its smallest cells, so comparing
 * sets needs no library. Immutable.
 */
final class CellUnion {
  private final long[] cells;

  private CellUnion(long[] cells) {
    this.cells = cells;
  }

  /** Empty if the bytes are malformed. */
  static Optional<CellUnion> read(byte[] bytes) {
    if (bytes.length % Long.BYTES != 0) {
      return Optional.empty();
    }
    long[] cells = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(cells);
    long last = 0;
    for (long cell : cells) {
      if (cell == 0 || Long.compareUnsigned(firstLeaf(cell), last) <= 0) {
        return Optional.empty();
      }
      last = lastLeaf(cell);
    }
    return Optional.of(new CellUnion(cells));
  }

  private static long firstLeaf(long cell) {
    return cell - (Long.lowestOneBit(cell) - 1);
  }

  private static long lastLeaf(long cell) {
    return cell + (Long.lowestOneBit(cell) - 1);
  }

  boolean intersects(CellUnion other) {
    int i = 0;
    int j = 0;
    while (i < cells.length && j < other.cells.length) {
      if (Long.compareUnsigned(lastLeaf(cells[i]), firstLeaf(other.cells[j])) < 0) {
        i++;
      } else if (Long.compareUnsigned(lastLeaf(other.cells[j]), firstLeaf(cells[i])) < 0) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }
}
