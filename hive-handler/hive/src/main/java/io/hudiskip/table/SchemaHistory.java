// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.internal.schema.InternalSchema;
import org.apache.hudi.internal.schema.io.FileBasedInternalSchemaStorageManager;
import org.apache.hudi.internal.schema.utils.SerDeHelper;
import org.apache.hudi.storage.StoragePath;

/**
 * The names that columns have had. Hudi keeps them in {@code .hoodie/.schema} while it writes with
 * {@code hoodie.schema.on.read.enable}, and leaves them there when it no longer does.
 */
final class SchemaHistory {
  private SchemaHistory() {}

  /** Why columns cannot be found by name. Immutable. */
  static final class Ambiguity {
    /** What happened to a column, for display. */
    final String change;

    /** The last commit with a history: until then, Spark finds all columns by id. */
    final String lastById;

    private Ambiguity(String change, String lastById) {
      this.change = change;
      this.lastById = lastById;
    }
  }

  /**
   * What makes names unsuitable for finding columns in old files: a column that had another name,
   * or a name that another column had, and the last commit that found columns by id. Empty if there
   * is nothing: then names and ids find the same columns.
   */
  static Optional<Ambiguity> ambiguity(HoodieTableMetaClient table) throws IOException {
    List<String> commits = commits(table);
    return commits.isEmpty()
        ? Optional.empty()
        : ambiguity(
            new FileBasedInternalSchemaStorageManager(table)
                .getHistorySchemaStrByGivenValidCommits(commits),
            Collections.max(commits));
  }

  /** Those with a history that have not been undone; they may be archived. */
  private static List<String> commits(HoodieTableMetaClient table) throws IOException {
    StoragePath folder = new StoragePath(table.getSchemaFolderName());
    if (!table.getStorage().exists(folder)) {
      return Collections.emptyList();
    }
    HoodieTimeline completed =
        table.getActiveTimeline().getCommitsTimeline().filterCompletedInstants();
    return table.getStorage().listDirectEntries(folder).stream()
        .map(file -> file.getPath().getName())
        .filter(name -> name.endsWith("." + HoodieTimeline.SCHEMA_COMMIT_ACTION))
        .map(table.getInstantFileNameParser()::extractTimestamp)
        .filter(completed::containsOrBeforeTimelineStarts)
        .collect(Collectors.toList());
  }

  private static Optional<Ambiguity> ambiguity(String history, String lastById) {
    Map<Integer, String> names = new HashMap<>();
    Map<String, Integer> ids = new HashMap<>();
    for (InternalSchema version : SerDeHelper.parseSchemas(history).values()) {
      for (int id : version.getAllIds()) {
        String name = version.findFullName(id);
        String oldName = names.put(id, name);
        if (oldName != null && !oldName.equals(name)) {
          return Optional.of(new Ambiguity(oldName + " was renamed to " + name, lastById));
        }
        Integer oldId = ids.put(name, id);
        if (oldId != null && oldId != id) {
          return Optional.of(new Ambiguity(name + " was dropped and added again", lastById));
        }
      }
    }
    return Optional.empty();
  }
}
