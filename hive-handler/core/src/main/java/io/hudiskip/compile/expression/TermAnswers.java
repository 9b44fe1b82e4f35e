// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Caches a {@link TermEvaluator}'s answers during one evaluation, so each question is asked once.
 */
public final class TermAnswers {
  /** So many answers take fractions of a second; most take microseconds. */
  static final int MANY = 20_000;

  private final TermEvaluator evaluator;
  private final Map<List<Object>, Optional<TermEvaluator.Outcome>> answers = new HashMap<>();

  TermAnswers(TermEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** The outcome of a term for a row; empty when unknown. */
  public Optional<TermEvaluator.Outcome> outcome(int term, List<TermEvaluator.Value> row) {
    List<Object> question = new ArrayList<>(1 + 3 * row.size());
    question.add(term);
    for (TermEvaluator.Value value : row) {
      question.add(value.column());
      question.add(value.type());
      question.add(value.encoded() == null ? null : ByteBuffer.wrap(value.encoded()));
    }
    return answers.computeIfAbsent(question, asked -> ask(term, row));
  }

  /**
   * Whether so much was asked that files with several possible rows should rather be kept. A file
   * with one adds at most one question.
   */
  public boolean areMany() {
    return answers.size() >= MANY;
  }

  private Optional<TermEvaluator.Outcome> ask(int term, List<TermEvaluator.Value> row) {
    try {
      return evaluator.evaluate(term, row);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // Users' functions run here and may throw any of these. The evaluator reports the function;
      // here it only means that the file is kept.
      return Optional.empty();
    }
  }
}
