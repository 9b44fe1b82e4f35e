/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import io.hudiskip.hive.table.TableTotals;
import java.util.Collections;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;

/** The file slices that a filter is applied to, and how they were found. Immutable. */
public final class Candidates {
  private final List<FileSlice> slices;
  private final TableTotals totals;
  private final String source;

  private Candidates(List<FileSlice> slices, TableTotals totals, String source) {
    this.slices = Collections.unmodifiableList(slices);
    this.totals = totals;
    this.source = source;
  }

  /**
   * All slices that the query reads, from a listing of the table.
   *
   * @param reason why the index did not serve, empty if it was not asked
   */
  public static Candidates listed(List<FileSlice> slices, String reason) {
    return new Candidates(
        slices, TableTotals.of(slices), reason.isEmpty() ? "files" : "files: " + reason);
  }

  /** Slices that the index has not excluded; the totals are those of all. */
  static Candidates indexed(List<FileSlice> slices, TableTotals totals) {
    return new Candidates(slices, totals, "index");
  }

  /** Slices of the partitions that a catalogue in HBase has not excluded. */
  static Candidates catalogued(List<FileSlice> slices, TableTotals totals) {
    return new Candidates(slices, totals, "hbase");
  }

  /** The same, with why they are not from HBase. */
  public Candidates notFromHBase(String reason) {
    return new Candidates(slices, totals, source + ", not hbase: " + reason);
  }

  /** The slices. */
  public List<FileSlice> slices() {
    return slices;
  }

  /** How large everything is that the query would read without its filter. */
  public TableTotals totals() {
    return totals;
  }

  /**
   * Where the slices come from, for the log: {@code index}, {@code hbase}, or {@code files} and
   * why.
   */
  public String source() {
    return source;
  }
}
