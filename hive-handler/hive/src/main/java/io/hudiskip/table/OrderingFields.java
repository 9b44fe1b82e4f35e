// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.CollectionUtils;

/**
 * The fields whose greater values win when records of a merge-on-read table are merged; the first
 * that differs decides. {@code pycompiler/table/known_properties.py} has the same rules.
 */
final class OrderingFields {
  private static final List<String> NAMES =
      CollectionUtils.createImmutableList(
          HoodieTableConfig.ORDERING_FIELDS.key(),
          // The name before Hudi 1.1.
          HoodieTableConfig.PRECOMBINE_FIELD.key(),
          // Writers of Hudi 1.0 left it behind, and merged by it.
          "hoodie.datasource.write.precombine.field");

  private OrderingFields() {}

  /** Sets the fields where Hudi's code looks for them, in memory. */
  static void normalize(HoodieTableConfig config, String path) throws UnreadableTableException {
    Map<String, String> fieldsByName = new LinkedHashMap<>();
    for (String name : NAMES) {
      String fields = parse(config.getProps().getProperty(name, ""));
      if (!fields.isEmpty()) {
        fieldsByName.put(name, fields);
      }
    }
    Set<String> fields = new LinkedHashSet<>(fieldsByName.values());
    if (fields.size() > 1) {
      throw new UnreadableTableException(
          String.format(
              "the properties of %s do not agree on the ordering fields: %s. Set %s and %s to"
                  + " the same fields in hoodie.properties",
              path,
              fieldsByName,
              HoodieTableConfig.ORDERING_FIELDS.key(),
              HoodieTableConfig.PRECOMBINE_FIELD.key()));
    }
    for (String agreed : fields) {
      config.setValue(HoodieTableConfig.ORDERING_FIELDS, agreed);
    }
  }

  private static String parse(String fields) {
    return Arrays.stream(fields.split(","))
        .map(String::trim)
        .filter(field -> !field.isEmpty())
        .collect(Collectors.joining(","));
  }
}
