// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.encoding.HiveType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Evaluates terms of the filter as Hive does, for files where each of a term's columns has a single
 * value. Called from one thread, at most once per term and set of values in an evaluation.
 */
public interface TermEvaluator {

  /** Answers nothing. */
  TermEvaluator NONE = (term, row) -> Optional.empty();

  enum Outcome {
    TRUE,
    FALSE,
    NULL
  }

  /**
   * The outcome of a term for every row that has these values.
   *
   * @param term index into the nodes of the {@code FilterTree} that was compiled
   * @param row the values of the columns that the term reads, each column once
   * @return empty when unknown; files with these values are then kept, as they are when this throws
   */
  Optional<Outcome> evaluate(int term, List<Value> row);

  /** A value of a column. */
  final class Value {
    private final String column;
    private final HiveType type;
    private final byte[] encoded;

    /**
     * Creates a value.
     *
     * @param encoded follows {@code docs/inside/formats.md}; null for NULL; kept, not copied
     */
    public Value(String column, HiveType type, byte[] encoded) {
      this.column = Objects.requireNonNull(column);
      this.type = Objects.requireNonNull(type);
      this.encoded = encoded;
    }

    /** Lower-case name; nested fields are joined by dots. */
    public String column() {
      return column;
    }

    /**
     * The type the expression reads the column as. The value fits it, except that a {@code varchar}
     * or {@code char} may be the stored string that Hive has yet to cut to length.
     */
    public HiveType type() {
      return type;
    }

    /** The value in the encoding of the type's kind, null for NULL; must not be changed. */
    public byte[] encoded() {
      return encoded;
    }
  }
}
