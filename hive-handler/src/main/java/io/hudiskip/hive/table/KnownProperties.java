/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * The table properties that this release knows. A newer Hudi may say by another one how records are
 * merged or where files are, and rows would be wrong without a word. The list is {@code
 * known_properties.txt}, which {@code pycompiler/table/known_properties.py} reads as well.
 */
final class KnownProperties {
  private static final String LIST = "known_properties.txt";
  private static final String ANY = "*";
  private static final int COLUMNS = 4;

  /** By names, which end in a star if they are the beginnings of others. */
  private static final Map<String, Rule> RULES = read();

  private KnownProperties() {}

  /**
   * Accepts a table all of whose properties are known, or decide nothing.
   *
   * @throws UnreadableTableException naming the property that is not known
   */
  static void require(HoodieTableConfig config, boolean isMergeOnRead, String path)
      throws UnreadableTableException {
    Map<String, String> properties = new TreeMap<>();
    config.getProps().forEach((name, value) -> properties.put((String) name, (String) value));
    for (Map.Entry<String, String> property : properties.entrySet()) {
      Rule rule = rule(property.getKey());
      String value = property.getValue().trim();
      if (rule != null && !value.isEmpty() && !rule.knows(value, isMergeOnRead)) {
        throw new UnreadableTableException(
            path
                + " has the property "
                + property.getKey()
                + "="
                + value
                + ", which this release does not know, and which may decide what its rows are. Query"
                + " the table through Spark, or use a release of hudi-skip that knows it");
      }
    }
  }

  /** Null for a property that decides nothing. */
  private static Rule rule(String property) {
    Rule own = RULES.get(property);
    for (int end = property.length(); own == null && end >= 0; end--) {
      own = RULES.get(property.substring(0, end) + ANY);
    }
    return own;
  }

  private static Map<String, Rule> read() {
    Map<String, Rule> rules = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                KnownProperties.class.getResourceAsStream(LIST), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty() && line.charAt(0) != '#') {
          String[] columns = line.split(" *\\| *", COLUMNS);
          rules.put(columns[1], new Rule(columns[0].equals("mor"), columns[2]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableMap(rules);
  }

  /** A line of the list. */
  private static final class Rule {
    private final boolean isOfMerging;
    private final boolean takesAny;
    private final Set<String> values;

    Rule(boolean isOfMerging, String values) {
      this.isOfMerging = isOfMerging;
      this.takesAny = values.equals(ANY);
      this.values = new HashSet<>(Arrays.asList(values.toLowerCase(Locale.ROOT).split(", ")));
    }

    boolean knows(String value, boolean isMergeOnRead) {
      return takesAny
          || (isOfMerging && !isMergeOnRead)
          || values.contains(value.toLowerCase(Locale.ROOT));
    }
  }
}
