/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.shadow;

import java.util.Set;
import java.util.StringJoiner;
import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;

/** What the check of one split has found so far. Not thread-safe. */
final class ShadowFindings {
  /** Characters of a row that is shown. */
  private static final int SHOWN = 1_000;

  private final StructObjectInspector inspector;
  private final Set<String> columns;
  private long rows;
  private long violations;
  private String firstViolation = "";

  /**
   * No findings yet.
   *
   * @param inspector how rows are to be read
   * @param columns the columns of a row that tell why the filter is true
   */
  ShadowFindings(StructObjectInspector inspector, Set<String> columns) {
    this.inspector = inspector;
    this.columns = columns;
  }

  /** Adds a row, which is a violation if the filter is true for it. */
  void add(Object row, boolean accepted) {
    rows++;
    if (accepted && violations++ == 0) {
      firstViolation = show(row);
    }
  }

  /** Rows read. */
  long rows() {
    return rows;
  }

  /** Rows for which the filter is true. */
  long violations() {
    return violations;
  }

  /** The first violation as {@code column: value} pairs, cut if it is long; empty without one. */
  String firstViolation() {
    return firstViolation;
  }

  private String show(Object row) {
    StringJoiner shown = new StringJoiner(", ");
    for (String column : columns) {
      StructField field = inspector.getStructFieldRef(column);
      Object value = inspector.getStructFieldData(row, field);
      shown.add(
          column + ": " + SerDeUtils.getJSONString(value, field.getFieldObjectInspector(), "null"));
    }
    return shown.length() <= SHOWN ? shown.toString() : shown.toString().substring(0, SHOWN) + "…";
  }
}
