/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * The field whose greater value wins when the records of a merge-on-read table are merged. {@code
 * pycompiler/table/known_properties.py} has the same rules.
 */
final class OrderingField {
  /** What Hudi calls it from 1.1 on; 1.0 knows the first of {@link #NAMES} alone. */
  private static final String OF_NEWER_HUDI = "hoodie.table.ordering.fields";

  private static final List<String> NAMES =
      Collections.unmodifiableList(
          Arrays.asList(
              HoodieTableConfig.PRECOMBINE_FIELD.key(),
              OF_NEWER_HUDI,
              // Hudi's merging takes it before the others where it finds it.
              "hoodie.datasource.write.precombine.field"));

  private OrderingField() {}

  /**
   * Has Hudi's code find the field where it looks for it, in a configuration in memory.
   *
   * @throws UnreadableTableException when there are several, or the properties do not agree
   */
  static void understand(HoodieTableConfig config, String path) throws UnreadableTableException {
    Map<String, String> said = new LinkedHashMap<>();
    for (String name : NAMES) {
      String value = config.getProps().getProperty(name, "").trim();
      if (value.contains(",")) {
        throw new UnreadableTableException(
            path
                + " has the property "
                + name
                + "="
                + value
                + ": records that are ordered by several fields cannot be merged here. Query the"
                + " table through Spark");
      }
      if (!value.isEmpty()) {
        said.put(name, value);
      }
    }
    Set<String> fields = new LinkedHashSet<>(said.values());
    if (fields.size() > 1) {
      throw new UnreadableTableException(
          "the properties of "
              + path
              + " do not agree on the ordering field: "
              + said
              + ". Have "
              + OF_NEWER_HUDI
              + " and "
              + HoodieTableConfig.PRECOMBINE_FIELD.key()
              + " name the same field in hoodie.properties");
    }
    for (String field : fields) {
      config.setValue(HoodieTableConfig.PRECOMBINE_FIELD, field);
    }
  }
}
