/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.util.BitSet;

/** Which files of a listing a filter can match, and how that was found. */
final class FileSelection {
  private final BitSet kept;
  private final String source;
  private final long generation;
  private final String instant;
  private final String expression;

  /**
   * A selection.
   *
   * @param kept bit {@code i} is set when file {@code i} of the listing has to be read
   * @param source {@code pushed} or {@code compiled}: where the expression came from
   * @param generation of the statistics index
   * @param instant last instant that the index has seen
   * @param expression in words
   */
  FileSelection(BitSet kept, String source, long generation, String instant, String expression) {
    this.kept = (BitSet) kept.clone();
    this.source = source;
    this.generation = generation;
    this.instant = instant;
    this.expression = expression;
  }

  boolean keeps(int file) {
    return kept.get(file);
  }

  String source() {
    return source;
  }

  long generation() {
    return generation;
  }

  String instant() {
    return instant;
  }

  String expression() {
    return expression;
  }
}
