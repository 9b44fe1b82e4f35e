// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import io.hudiskip.compile.statistics.Content;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of index records and the questions they answer. The Python kind of the same name defines
 * the records' content and the conditions ({@code docs/inside/architecture.md}).
 *
 * <p>To add a kind, put a public class with a no-argument constructor in a jar that names it in
 * {@code META-INF/services/io.hudiskip.compile.kind.IndexKind}. Threads share one instance.
 */
public interface IndexKind {
  enum Answer {
    /** {@link Content#allValues}, for comparisons of the column. */
    ALL_VALUES,
    /** {@link Content#mayContain}, for comparisons with single values. */
    SINGLE_VALUES,
    /** {@link Content#mayMatch}, for questions of the kind. */
    QUESTIONS
  }

  String name();

  Set<Answer> answers();

  /**
   * Reads a record's content.
   *
   * @param content kept, not copied
   * @return empty when the content is malformed: it then answers nothing
   */
  Optional<Content> read(byte[] content);
}
