// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.expression.ReadColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** A filter of a scan's rows, and all that a statement uses of them. Immutable. */
public final class FilteredColumns {
  private final ExprNodeDesc filter;
  private final List<ReadColumn> all;
  private final List<ReadColumn> behind;

  FilteredColumns(
      ExprNodeDesc filter, Collection<ReadColumn> ofFilter, Collection<ReadColumn> behind) {
    this.filter = filter;
    this.behind = Collections.unmodifiableList(new ArrayList<>(behind));
    Map<String, ReadColumn> used = new LinkedHashMap<>();
    ofFilter.forEach(column -> used.put(column.name(), column));
    behind.forEach(column -> used.put(column.name(), column));
    this.all = Collections.unmodifiableList(new ArrayList<>(used.values()));
  }

  /** Hive's own expression, not to be changed. */
  public ExprNodeDesc filter() {
    return filter;
  }

  /** The columns that the filter uses, and those of {@link #behind}. */
  public List<ReadColumn> all() {
    return all;
  }

  /** The columns that are used of the rows that the filter leaves. */
  public List<ReadColumn> behind() {
    return behind;
  }
}
