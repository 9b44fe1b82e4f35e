// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A setting with a default and known values: some words in any case, or a range of numbers. */
final class Setting<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Setting.class);

  /** Sessions can bring any number of values. */
  private static final int MAX_REPORTED = 1_000;

  /** Each invalid value is logged once per JVM. */
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Function<String, Optional<T>> parser;
  private final String allowed;
  private final T byDefault;
  private final T fallback;

  private Setting(
      String name, Function<String, Optional<T>> parser, String allowed, T byDefault, T fallback) {
    this.name = name;
    this.parser = parser;
    this.allowed = allowed;
    this.byDefault = byDefault;
    this.fallback = fallback;
  }

  /**
   * A setting whose values are written as {@code toString} returns them.
   *
   * @param byDefault where it is not set
   * @param fallback for an unknown value: whatever is safe
   */
  @SafeVarargs
  static <T> Setting<T> choice(String name, T byDefault, T fallback, T... values) {
    Map<String, T> known = new LinkedHashMap<>();
    for (T value : values) {
      known.put(value.toString(), value);
    }
    List<String> texts = new ArrayList<>(known.keySet());
    int last = texts.size() - 1;
    return new Setting<>(
        name,
        text -> Optional.ofNullable(known.get(text.toLowerCase(Locale.ROOT))),
        String.join(", ", texts.subList(0, last)) + " or " + texts.get(last),
        byDefault,
        fallback);
  }

  /** {@code on} or {@code off}, which is also the default and the fallback. */
  static Setting<Switch> switchedOff(String name) {
    return choice(name, Switch.OFF, Switch.OFF, Switch.values());
  }

  /** {@code true} or {@code false}, which is also the default and the fallback. */
  static Setting<Boolean> flag(String name) {
    return choice(name, false, false, true, false);
  }

  /** A whole number within bounds; any other value is replaced by the default. */
  static Setting<Long> number(String name, long byDefault, long min, long max) {
    return new Setting<>(
        name,
        text -> number(text, min, max),
        "a whole number from " + min + " to " + max,
        byDefault,
        byDefault);
  }

  private static Optional<Long> number(String text, long min, long max) {
    try {
      return Optional.of(Long.valueOf(text)).filter(value -> value >= min && value <= max);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  String name() {
    return name;
  }

  /** The value of a text. An unknown one is reported. */
  T read(@Nullable String text) {
    if (StringUtils.isBlank(text)) {
      return byDefault;
    }
    String trimmed = text.trim();
    Optional<T> value = parser.apply(trimmed);
    if (!value.isPresent()
        && REPORTED.size() < MAX_REPORTED
        && REPORTED.add(name + '=' + trimmed)) {
      LOG.warn("{}={} is not {}; using {}", name, trimmed, allowed, fallback);
    }
    return value.orElse(fallback);
  }

  /**
   * Refuses an unknown value.
   *
   * @throws InvalidSettingException naming the known ones
   */
  void requireKnown(String owner, @Nullable String text) {
    if (!StringUtils.isBlank(text) && !parser.apply(text.trim()).isPresent()) {
      throw new InvalidSettingException(owner, name, text, allowed);
    }
  }
}
