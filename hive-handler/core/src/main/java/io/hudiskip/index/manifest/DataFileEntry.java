// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A manifest's entry for one data file of the index. Immutable. */
public final class DataFileEntry {
  private final String name;
  private final int files;
  private final Section footer;
  private final List<RowGroupEntry> rowGroups;

  /** {@code footer} is everything after the last row group; queries do not read it. */
  DataFileEntry(String name, int files, Section footer, List<RowGroupEntry> rowGroups) {
    this.name = name;
    this.files = files;
    this.footer = footer;
    this.rowGroups = Collections.unmodifiableList(rowGroups);
  }

  public String name() {
    return name;
  }

  /** Identifies the content of this data file within the index directory. */
  public String identity() {
    return name + ' ' + size() + ' ' + footer.crc32();
  }

  /** Number of base files that it covers; their ordinals start at 0. */
  public int files() {
    return files;
  }

  /** Length in bytes. */
  public long size() {
    return footer.end();
  }

  /** All row groups, in file order. */
  public List<RowGroupEntry> rowGroups() {
    return rowGroups;
  }

  /** The row groups of a kind, in file order. */
  public List<RowGroupEntry> rowGroups(String kind) {
    return rowGroups.stream()
        .filter(group -> group.kind().equals(kind))
        .collect(Collectors.toList());
  }

  /** The row groups of a kind that may contain rows of a column, in file order. */
  public List<RowGroupEntry> rowGroups(String kind, String column) {
    return rowGroups.stream()
        .filter(group -> group.kind().equals(kind) && group.mayHold(column))
        .collect(Collectors.toList());
  }

  /** Whether both have file rows of the same lengths and checksums. */
  boolean coversSameFiles(DataFileEntry other) {
    return files == other.files && filesSections().equals(other.filesSections());
  }

  private List<List<Long>> filesSections() {
    return rowGroups(RowGroupEntry.FILES).stream()
        .map(group -> Arrays.asList((long) group.section().length(), group.section().crc32()))
        .collect(Collectors.toList());
  }

  public boolean mayHold(String kind, String column) {
    return rowGroups.stream().anyMatch(group -> group.kind().equals(kind) && group.mayHold(column));
  }

  public boolean mayHoldAny(String kind, Collection<String> columns) {
    return columns.stream().anyMatch(column -> mayHold(kind, column));
  }
}
