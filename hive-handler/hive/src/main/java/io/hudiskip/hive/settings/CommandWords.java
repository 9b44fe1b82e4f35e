// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses commands in settings: words separated by blanks, a word with blanks in double quotes. */
public final class CommandWords {
  private static final Pattern WORD =
      Pattern.compile("(?:[^\\p{javaWhitespace}\"]++|\"[^\"]*+(?:\"|\\z))++");

  private CommandWords() {}

  public static List<String> of(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group().replace("\"", ""));
    }
    words.removeIf(String::isEmpty);
    return words;
  }
}
