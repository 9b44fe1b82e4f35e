/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.table.TableRoot;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Hive table without this handler over the files of a Hudi table. Of the files it takes all,
 * those of earlier versions of a row too, and Hive deletes them with a table that it owns. Only
 * Hudi's own input formats know which files are the table's.
 */
final class ForeignTable {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignTable.class);

  private ForeignTable() {}

  /**
   * Why a table without this handler must not be at a location.
   *
   * @param inputFormat name of the table's input format
   * @param deletesData whether DROP TABLE deletes what is there
   * @return empty when it may: there is no Hudi table, or the table reads it as Hudi does and
   *     leaves it alone
   */
  static Optional<String> objection(
      Configuration conf,
      @Nullable String location,
      @Nullable String inputFormat,
      boolean deletesData) {
    Optional<Path> root = root(conf, location);
    if (!root.isPresent()) {
      return Optional.empty();
    }
    if (deletesData) {
      return Optional.of(
          location
              + " is in the Hudi table "
              + root.get()
              + ", and DROP TABLE would delete it with a table that is not EXTERNAL or has"
              + " external.table.purge=true. "
              + form(root.get().toString()));
    }
    if (!isHudis(inputFormat)) {
      return Optional.of(
          location
              + " is in the Hudi table "
              + root.get()
              + ", and only Hudi knows which of its files are the table's: "
              + inputFormat
              + " would read all of them. "
              + form(root.get().toString()));
    }
    return Optional.empty();
  }

  /** The root of the Hudi table that a location is in; empty also when that cannot be found out. */
  static Optional<Path> root(Configuration conf, @Nullable String location) {
    if (location == null || location.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = new Path(location);
      return TableRoot.containing(path.getFileSystem(conf), path);
    } catch (IOException | RuntimeException e) {
      // Not for this rule to refuse tables of file systems that the metastore alone can reach.
      LOG.warn("It is not known whether {} is in a Hudi table", location, e);
      return Optional.empty();
    }
  }

  /** Whether DROP TABLE deletes the data of a table with these parameters. */
  static boolean deletesData(Map<String, String> parameters) {
    return !MetaStoreUtils.isExternal(parameters) || purges(parameters);
  }

  /** Whether a table with these parameters says itself that DROP TABLE is to delete its data. */
  static boolean purges(Map<String, String> parameters) {
    return "true".equalsIgnoreCase(parameters.get("external.table.purge"));
  }

  /** Names the statement that makes a table of this handler. */
  static String form(String location) {
    return "Use CREATE EXTERNAL TABLE … STORED BY '"
        + HandlerClasses.STORAGE_HANDLER
        + "' LOCATION '"
        + location
        + "'";
  }

  private static boolean isHudis(@Nullable String inputFormat) {
    return inputFormat != null
        && (inputFormat.startsWith("org.apache.hudi.hadoop.")
            || inputFormat.startsWith("com.uber.hoodie.hadoop."));
  }
}
