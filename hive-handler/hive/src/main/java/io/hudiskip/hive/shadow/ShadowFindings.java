// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import java.util.Set;
import java.util.StringJoiner;
import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;

/** Findings of the check of one split. Not thread-safe. */
final class ShadowFindings {
  /** Maximum length of a displayed row. */
  private static final int MAX_LENGTH = 1_000;

  private final StructObjectInspector inspector;
  private final Set<String> columns;
  private long rows;
  private long violations;
  private String firstViolation = "";

  /** {@code columns} are those that explain why the filter is true. */
  ShadowFindings(StructObjectInspector inspector, Set<String> columns) {
    this.inspector = inspector;
    this.columns = columns;
  }

  void add(Object row, boolean accepted) {
    rows++;
    if (accepted && violations++ == 0) {
      firstViolation = show(row);
    }
  }

  long rows() {
    return rows;
  }

  long violations() {
    return violations;
  }

  /** The first violation as {@code column: value} pairs, cut if long; empty if there is none. */
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
    return shown.length() <= MAX_LENGTH
        ? shown.toString()
        : shown.toString().substring(0, MAX_LENGTH) + "…";
  }
}
