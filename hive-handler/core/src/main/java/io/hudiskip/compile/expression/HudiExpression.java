// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which files a filter can match, as a predicate over column statistics. Immutable. Section 2 of
 * {@code docs/inside/formats.md} defines each node.
 */
public final class HudiExpression {
  private final byte[] fingerprint;
  private final Program program;
  private final Set<String> columns;

  /**
   * Creates an expression.
   *
   * @param fingerprint identifies the filter that was compiled; empty when unknown
   * @param nodes one well-formed tree in post-order; kept, not copied
   */
  public HudiExpression(byte[] fingerprint, List<Node> nodes) {
    this.fingerprint = fingerprint;
    this.program = new Program(nodes);
    this.columns = columnsOf(nodes, node -> true);
  }

  private static Set<String> columnsOf(List<Node> nodes, Predicate<Node> isWanted) {
    Set<String> names = new TreeSet<>();
    for (Node node : nodes) {
      if (isWanted.test(node)) {
        node.columns().forEach(column -> names.add(column.name()));
      }
    }
    return Collections.unmodifiableSet(names);
  }

  /** Fingerprint of the compiled filter; empty when the compiler gave none. */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /**
   * Lower-case names of the columns whose statistics decide; empty when none are needed. Records
   * over several columns appear as their names joined by commas.
   */
  public Set<String> columns() {
    return columns;
  }

  /** The {@link #columns()} for which records of {@code kind} can decide more than bounds do. */
  public Set<String> columnsUsing(IndexKind kind) {
    return columnsOf(nodes(), node -> node.canUse(kind));
  }

  /**
   * Evaluates over all files without Hive's evaluator: every TERM keeps every file.
   *
   * @return bit {@code i} is set when file {@code i} must be read
   */
  public BitSet evaluate(StatisticsTable statistics) {
    return evaluate(statistics, TermEvaluator.NONE);
  }

  /**
   * Evaluates over all files.
   *
   * @param terms asked once per term and set of values
   * @return bit {@code i} is set when file {@code i} must be read
   */
  public BitSet evaluate(StatisticsTable statistics, TermEvaluator terms) {
    return program.evaluate(statistics, new TermAnswers(terms));
  }

  /**
   * Evaluates over all files and reports what each node keeps.
   *
   * @param terms asked once per term and set of values
   * @return the nodes in pre-order
   */
  public List<ExplainedNode> explain(StatisticsTable statistics, TermEvaluator terms) {
    return program.explain(statistics, new TermAnswers(terms));
  }

  /** Whether the filter is TRUE for no row, so no file is kept whatever its statistics. */
  public boolean isNever() {
    return program.root().operator() == Operator.NEVER;
  }

  /** The nodes in post-order. */
  public List<Node> nodes() {
    return program.nodes();
  }

  /** A readable form, shortened when long: {@code distance > 2000 and carrier = 'AA'}. */
  @Override
  public String toString() {
    return program.toString();
  }
}
