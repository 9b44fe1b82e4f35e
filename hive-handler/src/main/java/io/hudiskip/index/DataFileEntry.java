/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** What a manifest says of one data file of the index. */
final class DataFileEntry {
  private final String name;
  private final Section footer;
  private final List<RowGroupEntry> rowGroups;

  DataFileEntry(String name, Section footer, List<RowGroupEntry> rowGroups) {
    this.name = name;
    this.footer = footer;
    this.rowGroups = Collections.unmodifiableList(rowGroups);
  }

  /** File name in the index directory. */
  String name() {
    return name;
  }

  /** Length in bytes. */
  long size() {
    return footer.end();
  }

  /** Everything after the last row group. */
  Section footer() {
    return footer;
  }

  /** In file order. */
  List<RowGroupEntry> rowGroups() {
    return rowGroups;
  }

  /** Positions of the row groups that can hold rows of one of the columns, ascending. */
  List<Integer> rowGroupsOf(Collection<String> columns) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < rowGroups.size(); i++) {
      if (columns.stream().anyMatch(rowGroups.get(i)::mayHold)) {
        found.add(i);
      }
    }
    return found;
  }
}
