/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.Literal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * A comparison of one column with constants whose types fit, so that comparing the values as they
 * stand is what Hive does with the rows. Only such a comparison may become a leaf of a
 * SearchArgument: for others Hive's {@code ConvertAstToSearchArg} narrows the literal to the
 * column's type ({@code i < 1.5} to {@code i < 1}) where Hive widens the column.
 */
final class ColumnComparison {
  private final String operator;
  private final FilterTerm column;
  private final List<FilterTerm> constants;

  private ColumnComparison(String operator, FilterTerm column, List<FilterTerm> constants) {
    this.operator = operator;
    this.column = column;
    this.constants = Collections.unmodifiableList(constants);
  }

  /** Empty if the term is not such a comparison. */
  static Optional<ColumnComparison> of(FilterTerm term) {
    if (term.kind() != FilterNodeKind.FUNCTION) {
      return Optional.empty();
    }
    switch (term.name()) {
      case "=":
      case "<=>":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return binary(term);
      case FunctionNames.BETWEEN:
        return withConstants(term, false);
      case FunctionNames.IN:
        return term.children().size() < 2 ? Optional.empty() : withConstants(term, true);
      case FunctionNames.IS_NULL:
      case FunctionNames.IS_NOT_NULL:
        return withConstants(term, false);
      default:
        return Optional.empty();
    }
  }

  private static Optional<ColumnComparison> binary(FilterTerm term) {
    List<FilterTerm> operands = term.children();
    if (operands.size() != 2) {
      return Optional.empty();
    }
    int column = operands.get(0).kind() == FilterNodeKind.COLUMN ? 0 : 1;
    return checked(
        term.name(),
        operands.get(column),
        Collections.singletonList(operands.get(1 - column)),
        false);
  }

  private static Optional<ColumnComparison> withConstants(FilterTerm term, boolean nullAllowed) {
    List<FilterTerm> operands = term.children();
    return checked(
        term.name(),
        operands.get(0),
        new ArrayList<>(operands.subList(1, operands.size())),
        nullAllowed);
  }

  private static Optional<ColumnComparison> checked(
      String operator, FilterTerm column, List<FilterTerm> constants, boolean nullAllowed) {
    if (column.kind() != FilterNodeKind.COLUMN || !isComparable(column.type())) {
      return Optional.empty();
    }
    for (FilterTerm constant : constants) {
      if (constant.kind() != FilterNodeKind.LITERAL) {
        return Optional.empty();
      }
      boolean isNull = HiveLiterals.isNull(constant.literal());
      if (isNull ? !nullAllowed : !fits(category(column), category(constant))) {
        return Optional.empty();
      }
    }
    return Optional.of(new ColumnComparison(operator, column, constants));
  }

  /** Canonical name of the operator. */
  String operator() {
    return operator;
  }

  FilterTerm column() {
    return column;
  }

  PrimitiveCategory columnCategory() {
    return category(column);
  }

  /** The constants in the filter's order; none for IS [NOT] NULL. NULL occurs in IN alone. */
  List<FilterTerm> constants() {
    return constants;
  }

  /** The values of {@link #constants()}. */
  List<Literal> literals() {
    List<Literal> literals = new ArrayList<>(constants.size());
    constants.forEach(constant -> literals.add(constant.literal()));
    return literals;
  }

  /** Whether it asks for an order ({@code < <= > >= BETWEEN}), not only for equality. */
  boolean isOrdering() {
    return operator.equals(FunctionNames.BETWEEN)
        || operator.charAt(0) == '>'
        || operator.equals("<")
        || operator.equals("<=");
  }

  private static boolean isInteger(PrimitiveCategory category) {
    return category == PrimitiveCategory.BYTE
        || category == PrimitiveCategory.SHORT
        || category == PrimitiveCategory.INT
        || category == PrimitiveCategory.LONG;
  }

  private static PrimitiveCategory category(FilterTerm term) {
    return ((PrimitiveTypeInfo) term.type()).getPrimitiveCategory();
  }

  private static boolean isComparable(TypeInfo type) {
    if (!(type instanceof PrimitiveTypeInfo)) {
      return false;
    }
    switch (((PrimitiveTypeInfo) type).getPrimitiveCategory()) {
      case BOOLEAN:
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
      case FLOAT:
      case DOUBLE:
      case DECIMAL:
      case STRING:
      case VARCHAR:
      case CHAR:
      case DATE:
      case TIMESTAMP:
        return true;
      default:
        // timestamp with local time zone: a SearchArgument cannot tell it from timestamp, and its
        // value is in the JVM's zone.
        return false;
    }
  }

  private static boolean fits(PrimitiveCategory column, PrimitiveCategory constant) {
    if (isInteger(column)) {
      // Integers of different widths are compared as the wider one, which is exact.
      return isInteger(constant);
    }
    if (column == PrimitiveCategory.VARCHAR || column == PrimitiveCategory.CHAR) {
      // Hive compares both with a string as strings. A char constant of another type is padded or
      // stripped, so it isn't here.
      return constant == column || constant == PrimitiveCategory.STRING;
    }
    // Not float with double: 0.1 as a double is none of the floats.
    return constant == column;
  }
}
