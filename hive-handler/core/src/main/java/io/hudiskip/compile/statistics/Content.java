// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import java.util.List;
import java.util.Optional;

/**
 * What an index kind's record says about its columns' values in one file. Immutable.
 *
 * <p>Files are skipped on these answers, so an answer may be weaker than the truth but never
 * stronger. The defaults answer nothing.
 */
public interface Content {

  /**
   * All distinct values that are neither NULL nor NaN, encoded, in any order; the arrays must not
   * be changed.
   *
   * @return empty when not all values are known
   */
  default Optional<List<byte[]>> allValues() {
    return Optional.empty();
  }

  /** False only for a value that the column certainly lacks. */
  default boolean mayContain(byte[] encoded) {
    return true;
  }

  /**
   * False only if the question matches no row of the file. Questions only match rows where all
   * columns of the record are neither NULL nor NaN.
   *
   * @param question in the kind's own format, not to be changed; one not understood may match
   */
  default boolean mayMatch(byte[] question) {
    return true;
  }
}
