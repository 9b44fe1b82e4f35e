/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.thrift.ExpressionOperator;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** An expression in words, for logs: bounded in length, decoded literals, on one line. */
final class Renderer {
  private static final int MAX_LENGTH = 2000;
  private static final int MAX_LISTED_VALUES = 10;
  private static final int MAX_STRING_LENGTH = 64;
  private static final String ELLIPSIS = "…";
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** As Hive writes timestamps; the fraction only where there is one. */
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();

  private final Program program;
  private final StringBuilder out = new StringBuilder();

  private Renderer(Program program) {
    this.program = program;
  }

  static String render(Program program) {
    Renderer renderer = new Renderer(program);
    renderer.renderTree();
    return renderer.out.toString();
  }

  private void renderTree() {
    int[][] children = program.children();
    int[] rendered = new int[program.size()];
    Deque<Integer> path = new ArrayDeque<>();
    path.push(program.size() - 1);
    while (!path.isEmpty()) {
      if (out.length() > MAX_LENGTH) {
        out.setLength(MAX_LENGTH);
        out.append(ELLIPSIS);
        return;
      }
      int current = path.peek();
      Node node = program.node(current);
      if (node.arity() == 0) {
        renderTerm(node);
        path.pop();
      } else if (rendered[current] < node.arity()) {
        out.append(rendered[current] == 0 ? "(" : " " + node.operator() + " ");
        path.push(children[current][rendered[current]]);
        rendered[current]++;
      } else {
        out.append(')');
        path.pop();
      }
    }
  }

  private void renderTerm(Node node) {
    if (!node.isLeaf()) {
      out.append(node.operator());
      if (node.operator() == ExpressionOperator.UNKNOWN) {
        out.append('(').append(shortened(node.reason())).append(')');
      }
      return;
    }
    out.append(shortened(node.column())).append(' ').append(node.operator());
    List<byte[]> values = node.values();
    if (node.operator() == ExpressionOperator.IN || node.operator() == ExpressionOperator.NOT_IN) {
      out.append(" (");
      for (int i = 0; i < Math.min(values.size(), MAX_LISTED_VALUES); i++) {
        out.append(i == 0 ? "" : ", ").append(literal(node.type(), values.get(i)));
      }
      if (values.size() > MAX_LISTED_VALUES) {
        out.append(", ").append(ELLIPSIS).append(' ').append(values.size() - MAX_LISTED_VALUES);
        out.append(" more");
      }
      out.append(')');
    } else if (!values.isEmpty()) {
      out.append(' ').append(literal(node.type(), values.get(0)));
    }
  }

  private static String literal(HiveType type, byte[] value) {
    switch (type.kind()) {
      case BOOLEAN:
        return String.valueOf(ValueEncoding.decodeBoolean(value));
      case INTEGER:
        return String.valueOf(ValueEncoding.decodeInteger(value));
      case FLOAT:
        return String.valueOf(ValueEncoding.decodeDouble(value));
      case DECIMAL:
        return decimal(ValueEncoding.decodeDecimal(value));
      case DATE:
        return date(ValueEncoding.decodeInteger(value));
      case TIMESTAMP:
        return timestamp(ValueEncoding.decodeInteger(value));
      default:
        return "'" + shortened(ValueEncoding.decodeString(value)).replace("'", "''") + "'";
    }
  }

  private static String decimal(BigDecimal value) {
    // Plain where that is short: 1E+3 is 1000, but 1E+900000 stays as it is.
    return Math.abs((long) value.scale()) <= MAX_STRING_LENGTH
        ? value.toPlainString()
        : value.toString();
  }

  private static String date(long epochDay) {
    try {
      return "DATE'" + LocalDate.ofEpochDay(epochDay) + "'";
    } catch (DateTimeException e) {
      return "DATE(" + epochDay + " days)";
    }
  }

  private static String timestamp(long epochMicros) {
    long seconds = Math.floorDiv(epochMicros, MICROS_PER_SECOND);
    int nanos = (int) Math.floorMod(epochMicros, MICROS_PER_SECOND) * 1000;
    return "TIMESTAMP'"
        + TIMESTAMP.format(LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC))
        + "'";
  }

  /**
   * Cut to what a log line bears, with line breaks as spaces: a literal must not forge a log line.
   */
  private static String shortened(String text) {
    int codePoints = text.codePointCount(0, Math.min(text.length(), 2 * MAX_STRING_LENGTH));
    boolean cut = codePoints > MAX_STRING_LENGTH || text.length() > 2 * MAX_STRING_LENGTH;
    String kept = cut ? text.substring(0, text.offsetByCodePoints(0, MAX_STRING_LENGTH)) : text;
    return LINE_BREAKERS.matcher(kept).replaceAll(" ") + (cut ? ELLIPSIS : "");
  }
}
