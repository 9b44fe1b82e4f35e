// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * A comparison of one column with constants of fitting types, where comparing the values directly
 * is what Hive does with rows. Only these may become leaves of a SearchArgument: for others, Hive's
 * {@code ConvertAstToSearchArg} narrows the literal to the column's type ({@code i < 1.5} to {@code
 * i < 1}) where Hive itself widens the column.
 */
public final class ColumnComparison {
  private final String operator;
  private final FilterTerm column;
  private final List<FilterTerm> constants;

  private ColumnComparison(String operator, FilterTerm column, List<FilterTerm> constants) {
    this.operator = operator;
    this.column = column;
    this.constants = constants;
  }

  /** Empty for a term that is no such comparison. */
  public static Optional<ColumnComparison> of(FilterTerm term) {
    List<FilterTerm> operands = term.children();
    if (term.isBinaryComparison()) {
      if (operands.size() != 2) {
        return Optional.empty();
      }
      int column = operands.get(0).kind() == FilterTerm.Kind.COLUMN ? 0 : 1;
      return checked(
          term.name(), operands.get(column), Collections.singletonList(operands.get(1 - column)));
    }
    boolean isEmptyIn = term.isFunction(FunctionNames.IN) && operands.size() < 2;
    return term.isTest() && !isEmptyIn
        ? checked(term.name(), operands.get(0), operands.subList(1, operands.size()))
        : Optional.empty();
  }

  private static Optional<ColumnComparison> checked(
      String operator, FilterTerm column, List<FilterTerm> constants) {
    if (column.kind() != FilterTerm.Kind.COLUMN || !isComparable(column.type())) {
      return Optional.empty();
    }
    for (FilterTerm constant : constants) {
      if (constant.kind() != FilterTerm.Kind.LITERAL) {
        return Optional.empty();
      }
      if (constant.value() == null
          ? !operator.equals(FunctionNames.IN)
          : !fits(category(column), category(constant))) {
        return Optional.empty();
      }
    }
    return Optional.of(new ColumnComparison(operator, column, constants));
  }

  String operator() {
    return operator;
  }

  public FilterTerm column() {
    return column;
  }

  PrimitiveCategory columnCategory() {
    return category(column);
  }

  /** The constants in the filter's order; none for IS [NOT] NULL. Only IN may contain NULL. */
  public List<FilterTerm> constants() {
    return constants;
  }

  /** Whether it needs an order ({@code < <= > >= BETWEEN}), not only equality. */
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
        // timestamp with local time zone: a SearchArgument cannot distinguish it from timestamp,
        // and its value is in the JVM's zone.
        return false;
    }
  }

  private static boolean fits(PrimitiveCategory column, PrimitiveCategory constant) {
    if (isInteger(column)) {
      // Hive compares integers of different widths as the wider type, which is exact.
      return isInteger(constant);
    }
    if (column == PrimitiveCategory.VARCHAR || column == PrimitiveCategory.CHAR) {
      // Hive compares both with a string as strings, but pads or strips char constants of another
      // type.
      return constant == column || constant == PrimitiveCategory.STRING;
    }
    // Not float with double: no float equals the double 0.1.
    return constant == column;
  }
}
