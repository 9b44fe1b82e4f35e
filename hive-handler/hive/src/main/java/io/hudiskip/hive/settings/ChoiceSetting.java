// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** A setting whose values are the constants of an enum, in any case. Immutable. */
final class ChoiceSetting<E extends Enum<E>> {
  private final String name;
  private final List<E> values;
  private final E byDefault;
  private final E fallback;

  /**
   * @param byDefault where it is not set
   * @param fallback for a value that is unknown: whatever is safe
   */
  ChoiceSetting(String name, Class<E> type, E byDefault, E fallback) {
    this.name = name;
    this.values = Arrays.asList(type.getEnumConstants());
    this.byDefault = byDefault;
    this.fallback = fallback;
  }

  String name() {
    return name;
  }

  /** The constant that a text names. An unknown one is reported. */
  E read(@Nullable String text) {
    if (isBlank(text)) {
      return byDefault;
    }
    Optional<E> known = named(text);
    if (!known.isPresent()) {
      InvalidValues.report(name, text, allowed(), written(fallback));
    }
    return known.orElse(fallback);
  }

  /**
   * Refuses an unknown value.
   *
   * @throws InvalidSettingException naming the known ones
   */
  void requireKnown(String owner, @Nullable String text) {
    if (!isBlank(text) && !named(text).isPresent()) {
      throw new InvalidSettingException(owner, name, text, allowed());
    }
  }

  private Optional<E> named(String text) {
    String wanted = text.trim().toLowerCase(Locale.ROOT);
    return values.stream().filter(value -> written(value).equals(wanted)).findFirst();
  }

  private String allowed() {
    List<String> texts = values.stream().map(ChoiceSetting::written).collect(Collectors.toList());
    int last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
  }

  private static String written(Enum<?> value) {
    return value.toString().toLowerCase(Locale.ROOT);
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.trim().isEmpty();
  }
}
