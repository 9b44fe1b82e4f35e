/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/** A database that is to be dropped: its tables, and the folders that Hive deletes with it. */
public final class DroppedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedDatabase.class);

  private final Database database;
  private final List<Table> tables;

  /** A database with its tables. */
  DroppedDatabase(Database database, List<Table> tables) {
    this.database = database;
    this.tables = tables;
  }

  /** The database of a name; empty if there is none, which Hive says itself. */
  public static Optional<DroppedDatabase> find(
      HiveSemanticAnalyzerHookContext context, String name) {
    try {
      Database database = context.getHive().getDatabase(name);
      return database == null
          ? Optional.empty()
          : Optional.of(new DroppedDatabase(database, context.getHive().getAllTableObjects(name)));
    } catch (HiveException e) { // Hive comes upon the same, and says so
      LOG.debug("Database {} was not found", name, e);
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
   * A Hudi table that the folders of the database are in or have in them: at any depth if it is a
   * table of the database, else directly.
   */
  Optional<Path> hudiTable(Configuration conf) {
    for (Path folder : folders()) {
      Optional<Path> around = ForeignTable.root(conf, folder.toString());
      if (around.isPresent()) {
        return around;
      }
      Optional<Path> within = within(conf, folder);
      if (within.isPresent()) {
        return within;
      }
    }
    return Optional.empty();
  }

  private Optional<Path> within(Configuration conf, Path folder) {
    List<Path> candidates = new ArrayList<>();
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
      LOG.warn("It is not known whether there are Hudi tables in {}", folder, e);
    }
    return candidates.stream()
        .map(place -> ForeignTable.root(conf, place.toString()))
        .filter(Optional::isPresent)
        .map(Optional::get)
        .findFirst();
  }

  private List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    if (database.getLocationUri() != null) {
      folders.add(new Path(database.getLocationUri()));
    }
    if (database.getManagedLocationUri() != null) {
      folders.add(new Path(database.getManagedLocationUri()));
    }
    return folders;
  }
}
