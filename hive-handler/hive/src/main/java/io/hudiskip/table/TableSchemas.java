// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.timeline.InstantFileNameGenerator;
import org.apache.hudi.common.util.StringUtils;

/**
 * Schema information from a table's commits. Hudi reads many commits' metadata for it, so results
 * are cached until the table's properties or completed instants change.
 */
final class TableSchemas {
  private static final int MAX_TABLES = 200;
  private static final Cache<List<Object>, Schema> AVRO = cache();
  private static final Cache<List<Object>, Boolean> ON_READ = cache();
  private static final Cache<List<Object>, Optional<SchemaHistory.Ambiguity>> AMBIGUITIES = cache();

  /** What old streamers recorded as the schema of a commit without one. */
  private static final String NO_SCHEMA = "null";

  private TableSchemas() {}

  /** The current schema, including Hudi's own columns. */
  static Schema avro(HoodieTableMetaClient table) throws Exception { // declared by Hudi's method
    List<Object> key = key(table);
    Schema known = AVRO.getIfPresent(key);
    if (known == null) {
      known = read(table);
      AVRO.put(key, known);
    }
    return known;
  }

  private static Schema read(HoodieTableMetaClient table) throws Exception {
    TableSchemaResolver resolver = new TableSchemaResolver(table);
    Optional<HoodieInstant> commit = lastWithSchema(table);
    HoodieSchema schema =
        commit.isPresent()
            ? resolver.getTableSchema(commit.get(), table.getTableConfig().populateMetaFields())
            : resolver.getTableSchema();
    return schema.toAvroSchema();
  }

  /** As Hudi finds it, which takes {@link #NO_SCHEMA} for a schema. */
  private static Optional<HoodieInstant> lastWithSchema(HoodieTableMetaClient table)
      throws IOException {
    HoodieTimeline commits =
        table.getActiveTimeline().getCommitsTimeline().filterCompletedInstants();
    Iterator<HoodieInstant> newestFirst = commits.getReverseOrderedInstants().iterator();
    while (newestFirst.hasNext()) {
      HoodieInstant commit = newestFirst.next();
      HoodieCommitMetadata metadata = commits.readCommitMetadata(commit);
      String schema = metadata.getMetadata(HoodieCommitMetadata.SCHEMA_KEY);
      if (!StringUtils.isNullOrEmpty(schema)
          && !NO_SCHEMA.equals(schema)
          && WriteOperationType.canUpdateSchema(metadata.getOperationType())) {
        return Optional.of(commit);
      }
    }
    return Optional.empty();
  }

  /** Whether columns are matched by id ({@code hoodie.schema.on.read.enable=true}). */
  static boolean isOnRead(HoodieTableMetaClient table) {
    return ON_READ.get(
        key(table),
        key ->
            new TableSchemaResolver(table).getTableInternalSchemaFromCommitMetadata().isPresent());
  }

  /** {@link SchemaHistory#ambiguity}. */
  static Optional<SchemaHistory.Ambiguity> ambiguity(HoodieTableMetaClient table) {
    return AMBIGUITIES.get(
        key(table),
        key -> {
          try {
            return SchemaHistory.ambiguity(table);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
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
