// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.table.TableTotals;
import java.util.Collections;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;

/** The file slices to which a filter is applied, and their source. Immutable. */
public final class Candidates {
  static final String INDEX = "index";
  static final String FILES = "files";

  private final List<FileSlice> slices;
  private final TableTotals totals;
  private final String source;

  public Candidates(List<FileSlice> slices, TableTotals totals, String source) {
    this.slices = Collections.unmodifiableList(slices);
    this.totals = totals;
    this.source = source;
  }

  /** A copy with the reason why another source has no answer, after {@link #source}. */
  Candidates because(String reason) {
    return new Candidates(slices, totals, source + reason);
  }

  public List<FileSlice> slices() {
    return slices;
  }

  /** Totals of all files that the query would read without its filter. */
  public TableTotals totals() {
    return totals;
  }

  /** For the log: {@code index}, a catalogue's name, or {@code files}, and why not another. */
  public String source() {
    return source;
  }
}
