/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** What a manifest says of one data file of the index. Immutable. */
public final class DataFileEntry {
  private final String name;
  private final int files;
  private final Section footer;
  private final List<RowGroupEntry> rowGroups;

  /**
   * @param footer everything after the last row group; no query reads it
   */
  DataFileEntry(String name, int files, Section footer, List<RowGroupEntry> rowGroups) {
    this.name = name;
    this.files = files;
    this.footer = footer;
    this.rowGroups = Collections.unmodifiableList(rowGroups);
  }

  /** File name in the index directory. */
  public String name() {
    return name;
  }

  /** Tells the content of this data file from that of any other of the same index directory. */
  public String identity() {
    return name + ' ' + size() + ' ' + footer.crc32();
  }

  /** Number of base files that it has rows for: their ordinals are 0 to one less than that. */
  public int files() {
    return files;
  }

  /** Length in bytes. */
  long size() {
    return footer.end();
  }

  /** The groups of a kind, in file order. */
  public List<RowGroupEntry> rowGroups(RecordKind kind) {
    return rowGroups.stream().filter(group -> group.isOf(kind)).collect(Collectors.toList());
  }

  /** The groups of a kind that can hold rows of a column, in the order of their files. */
  public List<RowGroupEntry> rowGroups(RecordKind kind, String column) {
    List<RowGroupEntry> found = new ArrayList<>();
    for (RowGroupEntry group : rowGroups) {
      if (group.isOf(kind) && group.mayHold(column)) {
        found.add(group);
      }
    }
    return found;
  }

  /** Whether the rows about base files have the same lengths and checksums as those of another. */
  boolean hasFilesOf(DataFileEntry other) {
    return files == other.files && filesSections().equals(other.filesSections());
  }

  private List<List<Long>> filesSections() {
    return rowGroups(RecordKind.FILES).stream()
        .map(group -> Arrays.asList((long) group.section().length(), group.section().crc32()))
        .collect(Collectors.toList());
  }

  /** Whether it can have rows of a kind and column. */
  public boolean mayHold(RecordKind kind, String column) {
    return rowGroups.stream().anyMatch(group -> group.isOf(kind) && group.mayHold(column));
  }

  /** Whether it can have rows of a kind and one of some columns. */
  public boolean mayHoldAny(RecordKind kind, Collection<String> columns) {
    return columns.stream().anyMatch(column -> mayHold(kind, column));
  }
}
