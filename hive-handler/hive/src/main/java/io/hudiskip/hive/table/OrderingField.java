// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.table;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.CollectionUtils;

/**
 * The field whose greater value wins when records of a merge-on-read table are merged. {@code
 * pycompiler/table/known_properties.py} has the same rules.
 */
final class OrderingField {
  /** The name since Hudi 1.1; 1.0 knows only the first of {@link #NAMES}. */
  private static final String NEWER_NAME = "hoodie.table.ordering.fields";

  private static final List<String> NAMES =
      CollectionUtils.createImmutableList(
          HoodieTableConfig.PRECOMBINE_FIELD.key(),
          NEWER_NAME,
          // Takes precedence over the others in Hudi's merging.
          "hoodie.datasource.write.precombine.field");

  private OrderingField() {}

  /** Sets the field where Hudi's code looks for it, in memory. */
  static void normalize(HoodieTableConfig config, String path) throws UnreadableTableException {
    Map<String, String> fieldByName = new LinkedHashMap<>();
    for (String name : NAMES) {
      String value = config.getProps().getProperty(name, "").trim();
      if (value.contains(",")) {
        throw new UnreadableTableException(
            String.format(
                "%s has the property %s=%s: this release of hudi-skip cannot merge records ordered by"
                    + " several fields. Query the table through Spark",
                path, name, value));
      }
      if (!value.isEmpty()) {
        fieldByName.put(name, value);
      }
    }
    Set<String> fields = new LinkedHashSet<>(fieldByName.values());
    if (fields.size() > 1) {
      throw new UnreadableTableException(
          String.format(
              "the properties of %s do not agree on the ordering field: %s. Set %s and %s to"
                  + " the same field in hoodie.properties",
              path, fieldByName, NEWER_NAME, HoodieTableConfig.PRECOMBINE_FIELD.key()));
    }
    for (String field : fields) {
      config.setValue(HoodieTableConfig.PRECOMBINE_FIELD, field);
    }
  }
}
