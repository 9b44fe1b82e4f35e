// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.common.table.timeline.InstantFileNameGenerator;

/**
 * Schema information from a table's commits. Hudi reads many commits' metadata for it, so results
 * are cached until the table's properties or completed instants change.
 */
final class TableSchemas {
  private static final int MAX_TABLES = 200;
  private static final Cache<List<Object>, Schema> AVRO = cache();
  private static final Cache<List<Object>, Boolean> ON_READ = cache();

  private TableSchemas() {}

  /** The current schema, including Hudi's own columns. */
  static Schema avro(HoodieTableMetaClient table) throws Exception { // declared by Hudi's method
    List<Object> key = key(table);
    Schema known = AVRO.getIfPresent(key);
    if (known == null) {
      known = new TableSchemaResolver(table).getTableSchema().toAvroSchema();
      AVRO.put(key, known);
    }
    return known;
  }

  /** Whether columns are matched by id ({@code hoodie.schema.on.read.enable=true}). */
  static boolean isOnRead(HoodieTableMetaClient table) {
    return ON_READ.get(
        key(table),
        key ->
            new TableSchemaResolver(table).getTableInternalSchemaFromCommitMetadata().isPresent());
  }

  private static List<Object> key(HoodieTableMetaClient table) {
    InstantFileNameGenerator names = table.getInstantFileNameGenerator();
    List<String> completed =
        table
            .getActiveTimeline()
            .filterCompletedInstants()
            .getInstantsAsStream()
            .map(names::getFileName)
            .collect(Collectors.toList());
    return Collections.unmodifiableList(
        Arrays.asList(
            table.getBasePath().toString(),
            new HashMap<>(table.getTableConfig().getProps()),
            completed));
  }

  private static <T> Cache<List<Object>, T> cache() {
    return Caffeine.newBuilder()
        .maximumSize(MAX_TABLES)
        .softValues()
        .executor(Runnable::run)
        .build();
  }
}
