// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.hudi.avro.AvroSchemaUtils;
import org.apache.hudi.common.table.HoodieTableVersion;

/** Under which names a metadata table records those columns whose records may be trusted. */
final class RecordedColumns {
  /**
   * Hudi 1.2 records a struct's field {@code array} under this name, as it does an array's
   * elements.
   */
  private static final String ARRAY_ELEMENT = ".list.element";

  private final HoodieTableVersion version;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> obstacles = new HashMap<>();

  private RecordedColumns(HoodieTableVersion version) {
    this.version = version;
  }

  static RecordedColumns of(Schema schema, HoodieTableVersion version) {
    RecordedColumns columns = new RecordedColumns(version);
    columns.add(schema, "");
    return columns;
  }

  private void add(Schema schema, String prefix) {
    for (Schema.Field field : schema.getFields()) {
      String name = prefix + field.name();
      String lowerCase = name.toLowerCase(Locale.ROOT);
      if (names.put(lowerCase, name) != null) {
        obstacles.put(lowerCase, "several columns have this name but for the case of its letters");
      }
      Schema type = AvroSchemaUtils.getNonNullTypeFromUnion(field.schema());
      if (type.getType() == Schema.Type.RECORD) {
        add(type, name + ".");
        obstacles.putIfAbsent(lowerCase, "it is a struct");
      } else if (name.contains(ARRAY_ELEMENT)) {
        obstacles.putIfAbsent(lowerCase, "Hudi records the elements of an array under its name");
      } else {
        TrustedColumnStats.obstacle(type, version)
            .ifPresent(obstacle -> obstacles.putIfAbsent(lowerCase, obstacle));
      }
    }
  }

  /** The recorded names of those of some columns that may be trusted, by lower-case name. */
  Map<String, String> trusted(Collection<String> columns) {
    Map<String, String> trusted = new TreeMap<>();
    for (String column : columns) {
      String name = names.get(column);
      if (name != null && !obstacles.containsKey(column)) {
        trusted.put(column, name);
      }
    }
    return Collections.unmodifiableMap(trusted);
  }

  /** Why the records of a column are not trusted, whatever they say; empty if they may be. */
  Optional<String> obstacle(String column) {
    return names.containsKey(column)
        ? Optional.ofNullable(obstacles.get(column))
        : Optional.of("the table's schema has no such column");
  }
}
