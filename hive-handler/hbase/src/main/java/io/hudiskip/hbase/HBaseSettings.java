// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.table.catalogue.CatalogueUnavailableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Settings of the catalogue, from the session or the server. Immutable. */
final class HBaseSettings {
  private static final String PREFIX = "hudi.skipping.catalogue.hbase.";

  /** ZooKeeper servers of HBase, {@code host:port} separated by commas. */
  static final String QUORUM = PREFIX + "quorum";

  /** HBase table that holds the catalogue. */
  static final String TABLE = PREFIX + "table";

  /** Milliseconds for one lookup, connecting included. */
  static final String TIMEOUT_MS = PREFIX + "timeout.ms";

  static final Set<String> NAMES =
      Collections.unmodifiableSet(new HashSet<>(Arrays.asList(QUORUM, TABLE, TIMEOUT_MS)));

  private static final String DEFAULT_TABLE = "hudi_skip_partitions";
  private static final int DEFAULT_TIMEOUT_MILLIS = 2_000;
  private static final int MAX_TIMEOUT_MILLIS = 600_000;

  final String quorum;
  final String table;
  final int timeoutMillis;

  private HBaseSettings(String quorum, String table, int timeoutMillis) {
    this.quorum = quorum;
    this.table = table;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Reads the settings of a configuration.
   *
   * @throws CatalogueUnavailableException when one is missing or malformed; the message names it
   */
  static HBaseSettings of(Configuration conf) throws CatalogueUnavailableException {
    String quorum = conf.get(QUORUM, "").trim();
    if (quorum.isEmpty()) {
      throw new CatalogueUnavailableException(
          QUORUM + " is not set; set it to HBase's ZooKeeper servers");
    }
    String table = conf.get(TABLE, "").trim();
    return new HBaseSettings(quorum, table.isEmpty() ? DEFAULT_TABLE : table, timeoutMillis(conf));
  }

  private static int timeoutMillis(Configuration conf) throws CatalogueUnavailableException {
    String text = conf.get(TIMEOUT_MS, "").trim();
    if (text.isEmpty()) {
      return DEFAULT_TIMEOUT_MILLIS;
    }
    try {
      int millis = Integer.parseInt(text);
      if (millis >= 1 && millis <= MAX_TIMEOUT_MILLIS) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // Refused below, as other numbers are.
    }
    throw new CatalogueUnavailableException(
        TIMEOUT_MS + "=" + text + " is not a whole number from 1 to " + MAX_TIMEOUT_MILLIS);
  }
}
