// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import com.github.benmanes.caffeine.cache.Cache;
import io.hudiskip.hive.settings.QueryCache;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;

/**
 * Why joins of a statement send no values to a table's scans. HiveServer2 finds out while it
 * compiles; the application master, which writes the scans' lines, reads it in the job's
 * properties.
 */
public final class UnsentValues {
  /** The texts of a table, in its job properties. */
  public static final String PROPERTY = "hudi.skipping.internal.joins.unsent";

  /** By query id and root. */
  private static final Cache<List<Object>, Set<String>> KNOWN = QueryCache.create();

  private UnsentValues() {}

  /**
   * Remembers an objection.
   *
   * @param column what the join would have restricted
   */
  public static void add(Configuration session, Path root, String column, Objection objection) {
    KNOWN
        .get(key(session, root), any -> new ConcurrentSkipListSet<>())
        .add(column + ": not sent, " + objection.reason());
  }

  /** What {@link #add} has remembered for the session's statement; empty if nothing. */
  public static String of(Configuration session, Path root) {
    Set<String> texts = KNOWN.getIfPresent(key(session, root));
    return String.join(", ", texts == null ? Collections.emptySet() : texts);
  }

  /**
   * What a job's properties have of them, after what is known of values that are sent.
   *
   * @param job configuration of the listing
   */
  public static String after(String sent, Configuration job) {
    return Stream.of(sent, job.get(PROPERTY, ""))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static List<Object> key(Configuration session, Path root) {
    return Arrays.asList(HiveConf.getVar(session, HiveConf.ConfVars.HIVE_QUERY_ID), root);
  }
}
