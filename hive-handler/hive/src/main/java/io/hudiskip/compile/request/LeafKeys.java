// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.compile.filter.HiveLiterals;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;

/**
 * Column, operator and values of a leaf, comparable between Hive's SearchArgument and the typed
 * tree.
 */
final class LeafKeys {
  private LeafKeys() {}

  static List<Object> ofTree(
      String operator, String column, PrimitiveCategory category, List<FilterTerm> constants) {
    List<Object> values = new ArrayList<>(constants.size());
    constants.forEach(constant -> values.add(withoutPadding(constant.value(), category)));
    return Arrays.asList(operator, column, values);
  }

  /** Empty if a value has another class than Hive documents, or depends on a calendar or a zone. */
  static Optional<List<Object>> ofHive(PredicateLeaf leaf, @Nullable PrimitiveCategory category) {
    List<Object> literals = leaf.getLiteralList();
    if (literals == null) {
      Object literal = leaf.getLiteral();
      literals = literal == null ? Collections.emptyList() : Collections.singletonList(literal);
    }
    List<Object> values = new ArrayList<>(literals.size());
    for (Object literal : literals) {
      Object value = value(literal);
      if (value == null && literal != null) {
        return Optional.empty();
      }
      values.add(withoutPadding(value, category));
    }
    return Optional.of(Arrays.asList(leaf.getOperator().name(), leaf.getColumnName(), values));
  }

  /** The value as {@link FilterTerm#value} has it; null for NULL and for an unexpected class. */
  @Nullable
  private static Object value(@Nullable Object literal) {
    if (literal instanceof Long || literal instanceof Boolean) {
      return literal;
    }
    if (literal instanceof Double) {
      return ((Double) literal).isNaN() ? null : literal; // NaN equals nothing
    }
    if (literal instanceof String) {
      return HiveLiterals.unicode((String) literal);
    }
    if (literal instanceof HiveDecimalWritable) {
      return ((HiveDecimalWritable) literal).getHiveDecimal();
    }
    if (literal instanceof Date) {
      // By its fields: getTime() is days off before 1582.
      return ((Date) literal).toLocalDate();
    }
    // Hive stores the wall clock as if it were UTC.
    return literal instanceof Timestamp ? ((Timestamp) literal).toInstant() : null;
  }

  @Nullable
  private static Object withoutPadding(
      @Nullable Object value, @Nullable PrimitiveCategory category) {
    // Hive pads char literals and ignores trailing blanks.
    return category == PrimitiveCategory.CHAR && value instanceof String
        ? StringUtils.stripEnd((String) value, " ")
        : value;
  }
}
