/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import java.util.List;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;

/** Turns rows of a file into rows of its table. Immutable. */
public final class RowConversion {
  private final List<Conversion> columns;

  RowConversion(List<Conversion> columns) {
    this.columns = columns;
  }

  /** Changes a row of the file, with whole structs, into one of the table. */
  public void apply(ArrayWritable row) {
    Writable[] values = row.get();
    for (int i = 0; i < values.length && i < columns.size(); i++) {
      values[i] = columns.get(i).applyToNullable(values[i]);
    }
  }
}
