/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.InstantFileNameGenerator;

/**
 * What a table's commits say of its schema. Hudi reads the metadata of many of them for it, so what
 * it has found is kept for as long as the table has the same properties and the same completed
 * instants, whose metadata does not change.
 */
final class TableSchemas {
  private static final int MOST = 200;
  private static final Cache<List<Object>, Schema> AVRO = cache();
  private static final Cache<List<Object>, Boolean> ON_READ = cache();

  private TableSchemas() {}

  /** The current schema, Hudi's own columns included. */
  static Schema avro(HoodieTableMetaClient table) throws Exception { // as Hudi's method declares
    List<Object> key = key(table);
    Schema known = AVRO.getIfPresent(key);
    if (known == null) {
      known = new TableSchemaResolver(table).getTableAvroSchema();
      AVRO.put(key, known);
    }
    return known;
  }

  /** Whether columns are matched by id ({@code hoodie.schema.on.read.enable=true}). */
  static boolean areOnRead(HoodieTableMetaClient table) {
    List<Object> key = key(table);
    Boolean known = ON_READ.getIfPresent(key);
    if (known == null) {
      known = new TableSchemaResolver(table).getTableInternalSchemaFromCommitMetadata().isPresent();
      ON_READ.put(key, known);
    }
    return known;
  }

  private static List<Object> key(HoodieTableMetaClient table) {
    InstantFileNameGenerator names = table.getInstantFileNameGenerator();
    List<String> completed = new ArrayList<>();
    for (HoodieInstant instant :
        table.getActiveTimeline().filterCompletedInstants().getInstants()) {
      completed.add(names.getFileName(instant));
    }
    return Collections.unmodifiableList(
        Arrays.asList(
            table.getBasePath().toString(),
            new HashMap<>(table.getTableConfig().getProps()),
            completed));
  }

  private static <T> Cache<List<Object>, T> cache() {
    return Caffeine.newBuilder().maximumSize(MOST).softValues().executor(Runnable::run).build();
  }
}
