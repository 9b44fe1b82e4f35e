/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Evaluates terms of the filter as Hive does, for files in which every column of a term has one
 * value.
 *
 * <p>Asked at most once for a term and the same values in one evaluation of a {@link
 * HudiExpression}, by one thread.
 */
public interface TermEvaluator {

  /** Knows nothing of any term. */
  TermEvaluator NONE = (term, row) -> Optional.empty();

  /** What a term can be for a row. */
  enum Outcome {
    TRUE,
    FALSE,
    NULL
  }

  /**
   * The outcome of a term for every row that has these values.
   *
   * @param term index of the term in the nodes of the {@code FilterTree} that the expression was
   *     compiled from
   * @param row the values of the columns that the term reads, each column once, none NULL
   * @return empty when it can't be said: files with these values are kept, as they are when this
   *     throws
   */
  Optional<Outcome> evaluate(int term, List<Value> row);

  /** The one value that a column has in all rows of a file. */
  final class Value {
    private final String column;
    private final HiveType type;
    private final byte[] encoded;

    /**
     * @param column lower-case name; the fields of a struct are joined by dots
     * @param type the type that the expression says the column is read as
     * @param encoded the value, as {@code docs/format.md} encodes it; kept, not copied
     */
    public Value(String column, HiveType type, byte[] encoded) {
      this.column = Objects.requireNonNull(column);
      this.type = Objects.requireNonNull(type);
      this.encoded = Objects.requireNonNull(encoded);
    }

    /** Lower-case name; the fields of a struct are joined by dots. */
    public String column() {
      return column;
    }

    /**
     * The type that the expression says the column is read as. The value fits it; only of {@code
     * varchar} and {@code char} it may be the stored string, before Hive cuts it to the type's
     * length.
     */
    public HiveType type() {
      return type;
    }

    /** The value in the encoding of the type's kind; must not be changed. */
    public byte[] encoded() {
      return encoded;
    }
  }
}
