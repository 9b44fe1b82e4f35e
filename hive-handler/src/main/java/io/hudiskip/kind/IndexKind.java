/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.kind;

import io.hudiskip.statistics.Content;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of records of the index: what its records answer. What they are made of, and what a
 * condition asks of them, is said by the kind of the same name in Python ({@code
 * docs/index-kinds.md}).
 *
 * <p>A kind of another jar is a public class without arguments that the jar names in {@code
 * META-INF/services/io.hudiskip.kind.IndexKind}. Threads share one object of it.
 */
public interface IndexKind {

  /** What can be asked of a record. */
  enum Answer {
    /** {@link Content#allValues}, by comparisons of the column. */
    ALL_VALUES,
    /** {@link Content#mayContain}, by comparisons with single values. */
    SINGLE_VALUES,
    /** {@link Content#mayMatch}, by questions of the kind. */
    QUESTIONS
  }

  /** What its records have as their kind. */
  String name();

  /** What its records are read for. */
  Set<Answer> answers();

  /**
   * What a record's content says.
   *
   * @param content kept, not copied
   * @return empty when it is not what a content of this kind has to be: it says nothing
   */
  Optional<Content> read(byte[] content);
}
