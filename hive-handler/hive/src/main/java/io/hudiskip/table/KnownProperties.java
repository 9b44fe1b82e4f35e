// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

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
 * The table properties that this release knows. A newer Hudi may use others to define merging or
 * file locations, which would silently make rows wrong. {@code
 * pycompiler/table/known_properties.py} reads the same list, {@code known_properties.txt}.
 */
final class KnownProperties {
  private static final String LIST = "known_properties.txt";
  private static final String ANY = "*";
  private static final int COLUMNS = 4;

  /** By name; a trailing star makes it a prefix. */
  private static final Map<String, Rule> RULES = read();

  private KnownProperties() {}

  /** Accepts a table if all of its properties are known or irrelevant. */
  static void require(HoodieTableConfig config, boolean isMergeOnRead, String path)
      throws UnreadableTableException {
    Map<String, String> properties = new TreeMap<>();
    config.getProps().forEach((name, value) -> properties.put((String) name, (String) value));
    for (Map.Entry<String, String> property : properties.entrySet()) {
      Rule rule = rule(property.getKey());
      String value = property.getValue().trim();
      if (rule != null && !value.isEmpty() && !rule.allows(value, isMergeOnRead)) {
        throw new UnreadableTableException(
            String.format(
                "%s has the property %s=%s, which this release of hudi-skip does not know and"
                    + " which may affect the table's rows. Query the table through Spark, or use a"
                    + " release that knows it",
                path, property.getKey(), value));
      }
    }
  }

  /** Null for an irrelevant property. */
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

  private static final class Rule {
    private final boolean isOfMerging;
    private final boolean allowsAny;
    private final Set<String> values;

    Rule(boolean isOfMerging, String values) {
      this.isOfMerging = isOfMerging;
      this.allowsAny = values.equals(ANY);
      this.values = new HashSet<>(Arrays.asList(values.toLowerCase(Locale.ROOT).split(", ")));
    }

    boolean allows(String value, boolean isMergeOnRead) {
      return allowsAny
          || (isOfMerging && !isMergeOnRead)
          || values.contains(value.toLowerCase(Locale.ROOT));
    }
  }
}
