// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/**
 * Decides whether Hive's own Parquet row-group filter may be given a predicate.
 *
 * <p>Hive builds that filter from a SearchArgument ({@code ParquetFilterPredicateConverter}, {@code
 * LeafFilterFactory}), so stock Hive drops row groups with matching rows. The gate checks each term
 * that Hive would turn into a leaf and rejects the whole predicate if one is unsound, since Hive
 * cannot be given part of it.
 *
 * <p>It assumes that the file's column types are the table's: readers disable the row-group filter
 * for other files.
 */
public final class RowGroupFilterGate {
  /** From here on, writers and Hive agree on the calendar. */
  private static final LocalDate FIRST_DAY = LocalDate.of(1583, 1, 1);

  private RowGroupFilterGate() {}

  /**
   * Why a filter ({@code hive.io.filter.expr.serialized}) must not be used, for display; empty when
   * it is sound. Never throws.
   */
  public static Optional<String> objection(ExprNodeDesc predicate) {
    try {
      return objection(FilterTermBuilder.whole(predicate));
    } catch (FilterLimitException e) {
      return Optional.of(e.getMessage());
    } catch (RuntimeException e) {
      // What cannot be read cannot be proven sound.
      return Optional.of("cannot read the filter: " + e);
    }
  }

  private static Optional<String> objection(FilterTerm term) {
    if (term.isLogical()) {
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
   * Whether {@code ConvertAstToSearchArg} could make a leaf of it, which takes exactly one column
   * and constants. An opaque operand may be either, so it counts as both. A boolean column becomes
   * {@code column = true}, which is always sound.
   */
  private static boolean mayBecomeLeaf(FilterTerm term) {
    if (term.isBinaryComparison()) {
      return term.children().stream().noneMatch(RowGroupFilterGate::isComputed)
          && !term.children().stream().allMatch(RowGroupFilterGate::isColumn);
    }
    return term.isTest() && !isComputed(term.children().get(0));
  }

  private static boolean isComputed(FilterTerm term) {
    return term.kind() == FilterTerm.Kind.FUNCTION || term.kind() == FilterTerm.Kind.FIELD;
  }

  private static boolean isColumn(FilterTerm term) {
    return term.kind() == FilterTerm.Kind.COLUMN;
  }

  private static Optional<String> objection(ColumnComparison comparison) {
    if (comparison.constants().isEmpty()) {
      // IS [NOT] NULL reads only null counts, which are right for every type.
      return Optional.empty();
    }
    for (FilterTerm constant : comparison.constants()) {
      String reason = unsound(comparison, constant.value());
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
  private static String unsound(ColumnComparison comparison, @Nullable Object value) {
    if (value == null) {
      // Parquet reads col = NULL as IS NULL.
      return "with NULL";
    }
    switch (comparison.columnCategory()) {
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
        // Hive truncates the literal to 32 bits for a file that stores INT32.
        return (Long) value == ((Long) value).intValue()
            ? null
            : "with a value of more than 32 bits";
      case STRING:
        // Hive may compare rows as UTF-16 but row groups as UTF-8; the orders differ above U+DFFF.
        return comparison.isOrdering() && hasCharacterAboveSurrogates((String) value)
            ? "with a character above U+DFFF"
            : null;
      case BOOLEAN:
        return comparison.isOrdering() ? "which has no order in Parquet" : null;
      case DATE:
        return ((LocalDate) value).isBefore(FIRST_DAY) ? "with a date before 1583" : null;
      default:
        // float, double: statistics exclude NaN; char, varchar: Hive cuts and pads; timestamp:
        // zones; decimal: scales.
        return "is not safe on row groups";
    }
  }

  private static boolean hasCharacterAboveSurrogates(String text) {
    return text.chars().anyMatch(c -> c >= Character.MIN_SURROGATE);
  }
}
