// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.parse.HiveSemanticAnalyzerHookContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A database to be dropped: its tables, and the folders that Hive deletes with it. */
public final class DroppedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedDatabase.class);

  private final Database database;
  private final List<Table> tables;

  DroppedDatabase(Database database, List<Table> tables) {
    this.database = database;
    this.tables = tables;
  }

  public static Optional<DroppedDatabase> find(
      HiveSemanticAnalyzerHookContext context, String name) {
    try {
      Database database = context.getHive().getDatabase(name);
      return database == null
          ? Optional.empty()
          : Optional.of(new DroppedDatabase(database, context.getHive().getAllTableObjects(name)));
    } catch (HiveException e) { // Hive fails likewise, and reports it
      LOG.debug("Cannot find database {}", name, e);
      return Optional.empty();
    }
  }

  String name() {
    return database.getName();
  }

  List<Table> tables() {
    return tables;
  }

  /**
   * A Hudi table that contains the database's folders or lies in them: at any depth if it is a
   * table of the database, otherwise directly.
   */
  Optional<Path> hudiTable(Configuration conf) {
    return Stream.of(database.getLocationUri(), database.getManagedLocationUri())
        .filter(Objects::nonNull)
        .flatMap(folder -> candidates(conf, new Path(folder)).stream())
        .map(place -> ForeignTable.root(conf, place.toString()))
        .filter(Optional::isPresent)
        .map(Optional::get)
        .findFirst();
  }

  /** The folder, its children, and places of tables below it. */
  private List<Path> candidates(Configuration conf, Path folder) {
    List<Path> candidates = new ArrayList<>();
    candidates.add(folder);
    try {
      FileSystem fileSystem = folder.getFileSystem(conf);
      Path qualified = fileSystem.makeQualified(folder);
      for (Table table : tables) {
        String location = ForeignStatement.location(table);
        if (location != null) {
          Path place = new Path(location);
          Path own = place.getFileSystem(conf).makeQualified(place);
          if (own.toString().startsWith(qualified + "/")) {
            candidates.add(own);
          }
        }
      }
      if (fileSystem.exists(folder)) {
        for (FileStatus child : fileSystem.listStatus(folder)) {
          candidates.add(child.getPath());
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot check {} for Hudi tables", folder, e);
    }
    return candidates;
  }
}
