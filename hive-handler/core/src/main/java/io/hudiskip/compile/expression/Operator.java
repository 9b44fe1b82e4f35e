// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

/** What a node of an expression computes: section 2 of {@code docs/inside/formats.md}. */
public enum Operator {
  AND("and"),
  OR("or"),
  UNKNOWN("any"),
  NEVER("none"),
  EQ("="),
  NE("!="),
  LT("<"),
  LTEQ("<="),
  GT(">"),
  GTEQ(">="),
  IN("in"),
  NOT_IN("not in"),
  IS_NULL("is null"),
  IS_NOT_NULL("is not null"),
  RANGES("in"),
  EQ_COLUMN("="),
  NE_COLUMN("!="),
  LT_COLUMN("<"),
  LTEQ_COLUMN("<="),
  DIFFERENCE("in"),
  TERM("hive"),
  QUESTION("may match");

  private final String text;

  Operator(String text) {
    this.text = text;
  }

  /** Its word or sign in an expression's text. */
  public String text() {
    return text;
  }
}
