// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.evolution;

import java.util.List;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;

/** Converts a file's rows to the table's. Immutable. */
public final class RowConversion {
  private final List<Conversion> columns;

  RowConversion(List<Conversion> columns) {
    this.columns = columns;
  }

  /** Converts a row with whole structs in place. */
  public void apply(ArrayWritable row) {
    Writable[] values = row.get();
    for (int i = 0; i < values.length && i < columns.size(); i++) {
      values[i] = columns.get(i).applyToNullable(values[i]);
    }
  }
}
