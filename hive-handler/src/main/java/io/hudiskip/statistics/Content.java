/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import java.util.List;
import java.util.Optional;

/**
 * What a record of an index kind says about the values of its columns in one file.
 *
 * <p>An answer may be weaker than the truth and never stronger, since files are skipped on it. What
 * a kind does not override says nothing. Immutable.
 */
public interface Content {

  /**
   * All distinct values of the column that are neither NULL nor NaN, encoded, in any order; the
   * arrays must not be changed.
   *
   * @return empty when they are not all known
   */
  default Optional<List<byte[]>> allValues() {
    return Optional.empty();
  }

  /** False only for a value that the column certainly does not have in the file. */
  default boolean mayContain(byte[] encoded) {
    return true;
  }

  /**
   * False only if no row of the file is among those that a question of the kind asks for. Only rows
   * in which all columns of the record have a value, neither NULL nor NaN, are asked for.
   *
   * @param question in the kind's own format, not to be changed; one that is not understood may
   *     match
   */
  default boolean mayMatch(byte[] question) {
    return true;
  }
}
