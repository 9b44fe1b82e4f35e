// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** QUESTION: asks the records of an index kind. */
public final class QuestionLeaf extends StatisticsLeaf {

  /** Joins the column names of a record over several columns. */
  public static final String SEPARATOR = ",";

  private final String kind;
  private final byte[] question;
  private final List<ReadColumn> asked;

  private QuestionLeaf(
      String kind, byte[] question, List<ReadColumn> asked, List<ReadColumn> columns) {
    super(Operator.QUESTION, columns);
    this.kind = kind;
    this.question = question;
    this.asked = asked;
  }

  /**
   * Creates a leaf.
   *
   * @param question in the kind's own format; kept, not copied
   * @param asked the columns of the records, without repeats; kept, not copied
   * @return empty when no record can cover these columns together
   */
  public static Optional<Leaf> of(String kind, byte[] question, List<ReadColumn> asked) {
    if (asked.size() == 1) {
      return Optional.of(new QuestionLeaf(kind, question, asked, asked));
    }
    // A record over several columns has their joined names and types in place of one column's.
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

  @Override
  boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    for (ColumnStatistics range : ranges) {
      if (range.isAllNull()) {
        // A question matches no row in which one of its columns is NULL.
        return false;
      }
    }
    // Otherwise the kind rules out every row of the file. It has seen instants where a timestamp is
    // read as a number, so its answer is not about that.
    HiveType.Kind asked = columns().get(columns().size() - 1).type().kind();
    ColumnStatistics subject = ranges[ranges.length - 1];
    return subject
        .content(kind)
        .filter(content -> subject.type().filter(type -> type.kind() == asked).isPresent())
        .map(content -> content.mayMatch(question))
        .orElse(true);
  }

  @Override
  protected boolean canUse(IndexKind other) {
    return other.name().equals(kind) && other.answers().contains(IndexKind.Answer.QUESTIONS);
  }

  @Override
  protected String text() {
    String columns = names(asked, ", ");
    return kind + "(" + columns + ") " + operator().text() + " " + question.length + " bytes";
  }
}
