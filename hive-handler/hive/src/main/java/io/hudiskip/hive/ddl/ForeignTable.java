// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.table.TableRoot;
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
 * A Hive table without this handler over a Hudi table's files. It reads all of them, including old
 * row versions, and Hive deletes them with a table that it owns. Only Hudi's own input formats know
 * which files are current.
 */
final class ForeignTable {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignTable.class);

  private ForeignTable() {}

  /**
   * Why a table without this handler must not be at a location.
   *
   * @return empty when it may: there is no Hudi table, or the table reads it through Hudi and
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
          String.format(
              "%s is in the Hudi table %s, which DROP TABLE would delete, since the table is"
                  + " not EXTERNAL or has external.table.purge=true. %s",
              location, root.get(), remedy(root.get().toString())));
    }
    if (!isHudiFormat(inputFormat)) {
      return Optional.of(
          String.format(
              "%s is in the Hudi table %s, and only Hudi knows which of its files are"
                  + " current: %s would read all of them. %s",
              location, root.get(), inputFormat, remedy(root.get().toString())));
    }
    return Optional.empty();
  }

  /**
   * The root of the Hudi table that contains a location; empty also when that cannot be determined.
   */
  static Optional<Path> root(Configuration conf, @Nullable String location) {
    if (location == null || location.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = new Path(location);
      return TableRoot.containing(path.getFileSystem(conf), path);
    } catch (IOException | RuntimeException e) {
      // Tables on file systems that only the metastore can reach must not fail here.
      LOG.warn("Cannot check whether {} is in a Hudi table", location, e);
      return Optional.empty();
    }
  }

  static boolean deletesData(Map<String, String> parameters) {
    return !MetaStoreUtils.isExternal(parameters) || purges(parameters);
  }

  /** Whether these parameters make DROP TABLE delete the data of an external table. */
  static boolean purges(Map<String, String> parameters) {
    return "true".equalsIgnoreCase(parameters.get("external.table.purge"));
  }

  static String remedy(String location) {
    return String.format(
        "Use CREATE EXTERNAL TABLE … STORED BY '%s' LOCATION '%s'",
        HandlerClasses.STORAGE_HANDLER, location);
  }

  private static boolean isHudiFormat(@Nullable String inputFormat) {
    return inputFormat != null
        && (inputFormat.startsWith("org.apache.hudi.hadoop.")
            || inputFormat.startsWith("com.uber.hoodie.hadoop."));
  }
}
