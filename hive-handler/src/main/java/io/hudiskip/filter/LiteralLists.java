/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.LiteralList;
import java.util.List;
import javax.annotation.Nullable;

/** The short form of several literals of one type, for the lists of IN. */
final class LiteralLists {
  private LiteralLists() {}

  /**
   * Whether two literals can stand in one list: both have values, of one type that lists exist for.
   */
  static boolean goTogether(@Nullable Literal left, @Nullable Literal right) {
    return left != null
        && right != null
        && left.getType().equals(right.getType())
        && ((left.isSetIntegerValue() && right.isSetIntegerValue())
            || (left.isSetDoubleValue() && right.isSetDoubleValue())
            || (left.isSetStringValue() && right.isSetStringValue())
            || (left.isSetDateValue() && right.isSetDateValue()));
  }

  /** Whether there are several literals that can stand in one list. */
  static boolean goTogether(List<Literal> literals) {
    for (Literal literal : literals) {
      if (!goTogether(literals.get(0), literal)) {
        return false;
      }
    }
    return literals.size() > 1;
  }

  /** The literals in order, which {@link #goTogether(List)}. */
  static LiteralList of(List<Literal> literals) {
    LiteralList list = new LiteralList().setType(literals.get(0).getType());
    for (Literal literal : literals) {
      if (literal.isSetIntegerValue()) {
        list.addToIntegerValues(literal.getIntegerValue());
      } else if (literal.isSetDoubleValue()) {
        list.addToDoubleValues(literal.getDoubleValue());
      } else if (literal.isSetStringValue()) {
        list.addToStringValues(literal.bufferForStringValue());
      } else {
        list.addToDateValues(literal.getDateValue());
      }
    }
    return list;
  }
}
