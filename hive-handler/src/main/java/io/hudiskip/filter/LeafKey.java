/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.PredicateLeafOperator;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;

/**
 * Column, operator and values of a leaf, comparable between Hive's SearchArgument and the typed
 * tree.
 */
final class LeafKey {
  private final PredicateLeafOperator operator;
  private final String column;
  private final List<Literal> values;

  private LeafKey(PredicateLeafOperator operator, String column, List<Literal> values) {
    this.operator = operator;
    this.column = column;
    this.values = values;
  }

  static LeafKey ofTree(
      PredicateLeafOperator operator,
      String column,
      PrimitiveCategory category,
      List<Literal> literals) {
    List<Literal> values = new ArrayList<>(literals.size());
    for (Literal literal : literals) {
      Literal value = literal.deepCopy();
      value.unsetType();
      values.add(withoutPadding(value, category));
    }
    return new LeafKey(operator, column, values);
  }

  /**
   * Empty if the leaf has a value of another class than Hive documents, or one that depends on a
   * calendar or a zone.
   */
  static Optional<LeafKey> ofHive(PredicateLeaf leaf, @Nullable PrimitiveCategory category) {
    List<Object> objects = new ArrayList<>();
    if (leaf.getLiteralList() != null) {
      objects.addAll(leaf.getLiteralList());
    } else if (leaf.getLiteral() != null) {
      objects.add(leaf.getLiteral());
    }
    List<Literal> values = new ArrayList<>(objects.size());
    for (Object object : objects) {
      Literal value = value(object);
      if (value == null) {
        return Optional.empty();
      }
      values.add(withoutPadding(value, category));
    }
    return Optional.of(
        new LeafKey(
            PredicateLeafOperator.valueOf(leaf.getOperator().name()),
            leaf.getColumnName(),
            Collections.unmodifiableList(values)));
  }

  @Nullable
  private static Literal value(@Nullable Object object) {
    if (object == null) {
      return new Literal();
    }
    if (object instanceof Long) {
      return HiveLiterals.integer((Long) object);
    }
    if (object instanceof Double) {
      return HiveLiterals.real((Double) object);
    }
    if (object instanceof String) {
      return HiveLiterals.string((String) object);
    }
    if (object instanceof Boolean) {
      return HiveLiterals.bool((Boolean) object);
    }
    if (object instanceof HiveDecimalWritable) {
      return HiveLiterals.decimal(((HiveDecimalWritable) object).getHiveDecimal());
    }
    if (object instanceof Date) {
      // By its fields; getTime() is days off before 1582.
      return HiveLiterals.date(((Date) object).toLocalDate().toEpochDay());
    }
    if (object instanceof Timestamp) {
      // Hive stores the wall clock as if it were UTC.
      Instant instant = ((Timestamp) object).toInstant();
      return HiveLiterals.timestamp(instant.getEpochSecond(), instant.getNano());
    }
    return null;
  }

  private static Literal withoutPadding(Literal value, @Nullable PrimitiveCategory category) {
    if (category != PrimitiveCategory.CHAR || !value.isSetStringValue()) {
      return value;
    }
    // Hive pads a char literal; trailing blanks don't count for a char.
    byte[] bytes = value.getStringValue();
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == ' ') {
      length--;
    }
    return new Literal().setStringValue(Arrays.copyOf(bytes, length));
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof LeafKey)) {
      return false;
    }
    LeafKey key = (LeafKey) other;
    return operator == key.operator && column.equals(key.column) && values.equals(key.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator, column, values);
  }
}
