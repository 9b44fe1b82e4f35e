/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which files a filter can match, as a predicate over column statistics. Immutable; section 2 of
 * {@code docs/format.md} gives the meaning of each node.
 */
public final class HudiExpression {
  private final byte[] fingerprint;
  private final Program program;
  private final Set<String> columns;

  /**
   * An expression.
   *
   * @param fingerprint of the filter that it was compiled from; empty when that is not known
   * @param program its nodes
   */
  public HudiExpression(byte[] fingerprint, Program program) {
    this.fingerprint = fingerprint;
    this.program = program;
    this.columns = columnsOf(program, node -> true);
  }

  private static Set<String> columnsOf(Program program, Predicate<Node> isWanted) {
    Set<String> names = new TreeSet<>();
    for (Node node : program.nodes()) {
      if (isWanted.test(node)) {
        node.columns().forEach(column -> names.add(column.name()));
      }
    }
    return Collections.unmodifiableSet(names);
  }

  /** Fingerprint of the filter that this was compiled from; empty when the compiler gave none. */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /**
   * The columns whose statistics decide, lower-case; empty when none are needed. Where records are
   * about several columns together, their names with commas between them are among these.
   */
  public Set<String> columns() {
    return columns;
  }

  /** Those of {@link #columns} about which records of a kind can decide more than bounds do. */
  public Set<String> columnsAskedOf(IndexKind kind) {
    return columnsOf(program, node -> node.asksFor(kind));
  }

  /**
   * Evaluates the expression over all files at once, without Hive's evaluator: every TERM keeps
   * every file.
   *
   * @return bit {@code i} is set when file {@code i} has to be read
   */
  public BitSet evaluate(StatisticsTable statistics) {
    return evaluate(statistics, TermEvaluator.NONE);
  }

  /**
   * Evaluates the expression over all files at once.
   *
   * @param terms asked once for a term and the same values
   * @return bit {@code i} is set when file {@code i} has to be read
   */
  public BitSet evaluate(StatisticsTable statistics, TermEvaluator terms) {
    return Evaluator.evaluate(program, statistics, new TermAnswers(terms));
  }

  /**
   * Evaluates the expression over all files at once, and says what each node keeps.
   *
   * @param terms asked once for a term and the same values
   * @return the nodes, the root first, each before its children
   */
  public List<ExplainedNode> explain(StatisticsTable statistics, TermEvaluator terms) {
    return Explanation.explain(program, statistics, new TermAnswers(terms));
  }

  /** Whether no file is kept whatever its statistics are: the filter is TRUE for no row. */
  public boolean isNever() {
    return program.node(program.size() - 1).operator() == ExpressionOperator.NEVER;
  }

  Program program() {
    return program;
  }

  /**
   * The expression in words, shortened when it is long: {@code distance > 2000 and carrier = 'AA'}.
   */
  @Override
  public String toString() {
    return Renderer.render(program);
  }
}
