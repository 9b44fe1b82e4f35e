/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.Literal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/**
 * Whether Hive's own Parquet row-group filter may be handed a predicate.
 *
 * <p>Hive makes that filter of the same SearchArgument as everything else ({@code
 * ParquetFilterPredicateConverter}, {@code LeafFilterFactory}), so stock Hive drops row groups that
 * hold matching rows. The gate looks at each term that Hive would turn into a leaf, and objects to
 * the whole predicate if one of them is not sound, since Hive can't be handed a part of it.
 *
 * <p>It relies on the table's column types being those of the file: the readers have no row-group
 * filter in a file in which one of them is not.
 */
public final class RowGroupFilterGate {
  /** Where writers and Hive agree about the calendar. */
  private static final long FIRST_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  private RowGroupFilterGate() {}

  /**
   * Examines a predicate.
   *
   * @param predicate what Hive would make the row-group filter of, {@code
   *     hive.io.filter.expr.serialized}
   * @return why the filter is not to be used, for people; empty when it is sound. Never throws
   */
  public static Optional<String> objection(ExprNodeDesc predicate) {
    try {
      return objection(FilterTermBuilder.whole(predicate));
    } catch (FilterLimitException e) {
      return Optional.of(e.getMessage());
    } catch (RuntimeException e) {
      // What cannot be read cannot be vouched for.
      return Optional.of("the filter could not be read: " + e);
    }
  }

  private static Optional<String> objection(FilterTerm term) {
    if (SearchArgumentGate.isLogical(term)) {
      for (FilterTerm child : term.children()) {
        Optional<String> objection = objection(child);
        if (objection.isPresent()) {
          return objection;
        }
      }
      return Optional.empty();
    }
    if (!mayBecomeLeaf(term)) {
      return Optional.empty();
    }
    Optional<ColumnComparison> comparison = ColumnComparison.of(term);
    return comparison.isPresent()
        ? objection(comparison.get())
        : Optional.of("operands of '" + term.name() + "' whose types do not fit");
  }

  /**
   * Whether {@code ConvertAstToSearchArg} could make a leaf of it: it wants exactly one column
   * beside constants. An opaque operand may be either, so it counts as both.
   */
  private static boolean mayBecomeLeaf(FilterTerm term) {
    if (term.kind() != FilterNodeKind.FUNCTION) {
      // A boolean column becomes column = true, in which nothing can be wrong.
      return false;
    }
    switch (term.name()) {
      case "=":
      case "<=>":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return term.children().stream().noneMatch(RowGroupFilterGate::isComputed)
            && !term.children().stream().allMatch(RowGroupFilterGate::isColumn);
      case FunctionNames.IN:
      case FunctionNames.BETWEEN:
      case FunctionNames.IS_NULL:
      case FunctionNames.IS_NOT_NULL:
        return !isComputed(term.children().get(0));
      default:
        return false;
    }
  }

  private static boolean isComputed(FilterTerm term) {
    return term.kind() == FilterNodeKind.FUNCTION || term.kind() == FilterNodeKind.FIELD;
  }

  private static boolean isColumn(FilterTerm term) {
    return term.kind() == FilterNodeKind.COLUMN;
  }

  private static Optional<String> objection(ColumnComparison comparison) {
    if (comparison.constants().isEmpty()) {
      // IS [NOT] NULL looks at null counts alone, which are right for every type.
      return Optional.empty();
    }
    for (Literal literal : comparison.literals()) {
      String reason = unsound(comparison, literal);
      if (reason != null) {
        return Optional.of(
            String.format(
                "%s of the %s column %s %s",
                comparison.operator(),
                comparison.column().type().getTypeName(),
                comparison.column().name(),
                reason));
      }
    }
    return Optional.empty();
  }

  @Nullable
  private static String unsound(ColumnComparison comparison, Literal literal) {
    if (HiveLiterals.isNull(literal)) {
      // Parquet reads col = NULL as IS NULL.
      return "with NULL";
    }
    switch (comparison.columnCategory()) {
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
        // Hive cuts the literal to 32 bits for a file that stores INT32.
        return literal.getIntegerValue() == (int) literal.getIntegerValue()
            ? null
            : "with a value of more than 32 bits";
      case STRING:
        // Rows may be compared as UTF-16, row groups as UTF-8; the orders differ above U+DFFF.
        return comparison.isOrdering() && hasCharacterAboveSurrogates(literal)
            ? "with a character above U+DFFF"
            : null;
      case BOOLEAN:
        return comparison.isOrdering() ? "which has no order in Parquet" : null;
      case DATE:
        return literal.getDateValue() >= FIRST_DAY ? null : "with a date before 1583";
      default:
        // float, double: NaN is left out of statistics; char, varchar: Hive cuts and pads;
        // timestamp: zones; decimal: scales.
        return "is not safe on row groups";
    }
  }

  private static boolean hasCharacterAboveSurrogates(Literal literal) {
    return new String(literal.getStringValue(), StandardCharsets.UTF_8)
        .chars()
        .anyMatch(c -> c >= Character.MIN_SURROGATE);
  }
}
