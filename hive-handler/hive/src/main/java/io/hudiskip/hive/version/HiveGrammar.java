// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.version;

import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Hive's grammar as the running release has it. */
public final class HiveGrammar {
  private HiveGrammar() {}

  /**
   * The number of a token. The Java compiler would inline the constant of the Hive that it compiles
   * against, but each release renumbers the tokens.
   *
   * @param name of a constant of {@link HiveParser}
   */
  public static int token(String name) {
    try {
      return HiveParser.class.getField(name).getInt(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Hive's grammar has no token " + name, e);
    }
  }
}
