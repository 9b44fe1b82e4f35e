/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** QUESTION: what an index kind is asked about its records. */
final class QuestionLeaf extends StatisticsLeaf {

  /** Between the names of columns that a record is about together. */
  static final String SEPARATOR = ",";

  private final String kind;
  private final byte[] question;
  private final List<ReadColumn> asked;

  private QuestionLeaf(
      String kind, byte[] question, List<ReadColumn> asked, List<ReadColumn> columns) {
    super(ExpressionOperator.QUESTION, columns);
    this.kind = kind;
    this.question = question;
    this.asked = asked;
  }

  /**
   * A question.
   *
   * @param question in the kind's own format; kept, not copied
   * @param asked the columns that the records are about, without repeats; kept, not copied
   * @return empty when records cannot be about these columns together
   */
  static Optional<QuestionLeaf> of(String kind, byte[] question, List<ReadColumn> asked) {
    if (asked.size() == 1) {
      return Optional.of(new QuestionLeaf(kind, question, asked, asked));
    }
    // Records about several columns have their names and types joined in the place of one column's.
    String fields =
        asked.stream()
            .map(column -> column.name() + ":" + column.type())
            .collect(Collectors.joining(","));
    List<ReadColumn> columns = new ArrayList<>(asked);
    return HiveType.parse("struct<" + fields + ">")
        .map(
            type -> {
              columns.add(new ReadColumn(names(asked, SEPARATOR), type));
              return new QuestionLeaf(kind, question, asked, columns);
            });
  }

  private static String names(List<ReadColumn> columns, String separator) {
    return columns.stream().map(ReadColumn::name).collect(Collectors.joining(separator));
  }

  String kind() {
    return kind;
  }

  byte[] question() {
    return question;
  }

  /** The columns that the records are about, in order. */
  List<ReadColumn> asked() {
    return asked;
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    for (ColumnStatistics range : ranges) {
      if (range.isAllNull()) {
        // A question asks for no row in which one of its columns is NULL.
        return false;
      }
    }
    // Otherwise the kind answers for all rows of the file that none is asked for.
    return ranges[ranges.length - 1]
        .content(kind)
        .map(content -> content.mayMatch(question))
        .orElse(true);
  }

  @Override
  protected boolean asksFor(IndexKind other) {
    return other.name().equals(kind) && other.answers().contains(IndexKind.Answer.QUESTIONS);
  }

  @Override
  protected String text() {
    return kind + "(" + names(asked, ", ") + ") may match " + question.length + " bytes";
  }
}
