// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The predicate compiler's assumptions about letters hold in Java, in every locale it
 * distinguishes.
 */
class LetterCaseTest {
  private static final String DOT_ABOVE = "\u0307";

  /** Those that {@link String#toLowerCase(Locale)} has rules for, and one that it has none for. */
  private static final List<String> LANGUAGES = Arrays.asList("en", "tr", "az", "lt");

  @ParameterizedTest
  @ValueSource(strings = {"lower", "upper"})
  void allCharactersThatMapToAsciiInSomeLocaleAreKnown(String function) throws IOException {
    Map<String, Set<String>> known = known(function);
    Map<String, Set<String>> found = new TreeMap<>();
    for (String language : LANGUAGES) {
      Locale locale = new Locale(language);
      UnaryOperator<String> change =
          text -> function.equals("lower") ? text.toLowerCase(locale) : text.toUpperCase(locale);
      for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
        boolean isSurrogate = Character.getType(code) == Character.SURROGATE;
        if (Character.isDefined(code) && !isSurrogate) {
          String one = new String(Character.toChars(code));
          String result = change.apply(one);
          if (result.charAt(0) < 0x80) {
            found.computeIfAbsent(result, key -> new TreeSet<>()).add(one);
          }
          String two = one + DOT_ABOVE;
          String together = change.apply(two);
          if (together.chars().allMatch(character -> character < 0x80)) {
            found.computeIfAbsent(together, key -> new TreeSet<>()).add(two);
          }
        }
      }
    }
    assertThat(found).isEqualTo(known);
  }

  private static Map<String, Set<String>> known(String function) throws IOException {
    JsonNode file =
        new ObjectMapper()
            .readTree(ConformanceVectors.directory().resolve("letter_case.json").toFile());
    Map<String, Set<String>> known = new HashMap<>();
    file.get(function)
        .fields()
        .forEachRemaining(
            entry -> {
              Set<String> sources = new TreeSet<>();
              entry.getValue().forEach(source -> sources.add(source.asText()));
              known.put(entry.getKey(), sources);
            });
    return known;
  }
}
