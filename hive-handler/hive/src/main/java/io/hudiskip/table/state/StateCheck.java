// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import com.github.benmanes.caffeine.cache.Cache;
import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.hive.settings.QueryCache;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails a statement while Hive compiles it if the state that it reads is known to be unreadable:
 * else a job starts, and Hive's message is that of a failed vertex.
 */
public final class StateCheck {
  private static final Logger LOG = LoggerFactory.getLogger(StateCheck.class);

  /** States that a query may read; Hive asks about each of its scans several times. */
  private static final Cache<List<String>, Boolean> READABLE = QueryCache.create();

  private StateCheck() {}

  /**
   * Checks what the session's settings request of the table at {@code location}.
   *
   * @throws InvalidSettingException saying what to do
   */
  public static void requireRequested(
      Configuration session, String location, boolean isReadOptimized) {
    require(session, location, isReadOptimized, null, null);
  }

  /**
   * Checks the past state of a scan, if the statement has an {@code AS OF} for it.
   *
   * @throws InvalidSettingException saying what to do
   */
  public static void requirePast(Configuration session, Table table) {
    if (table.getAsOfTimestamp() != null || table.getAsOfVersion() != null) {
      require(
          session,
          table.getDataLocation().toString(),
          Boolean.parseBoolean(table.getParameters().get(QueriedState.READ_OPTIMIZED)),
          table.getAsOfTimestamp(),
          table.getAsOfVersion());
    }
  }

  private static void require(
      Configuration session,
      String location,
      boolean isReadOptimized,
      @Nullable String time,
      @Nullable String version) {
    List<String> state =
        Collections.unmodifiableList(
            Arrays.asList(
                HiveConf.getVar(session, HiveConf.ConfVars.HIVE_QUERY_ID),
                location,
                Boolean.toString(isReadOptimized),
                time,
                version));
    if (READABLE.getIfPresent(state) != null) {
      return;
    }
    try {
      Configuration job = new Configuration(session);
      job.setBoolean(QueriedState.READ_OPTIMIZED, isReadOptimized);
      Optional<AsOf> asOf = AsOf.of(AsOf.millis(job, time), version);
      HudiTable table = HudiTable.open(job, location);
      QueriedState.of(job, table, asOf);
      table.columns();
      READABLE.put(state, true);
    } catch (UnreadableTableException e) {
      LOG.debug("Refusing to read {}", location, e);
      throw new InvalidSettingException(e.getMessage());
    } catch (RuntimeException | LinkageError e) { // the listing reports it, if it remains
      LOG.debug("Cannot determine whether {} can be read", location, e);
    }
  }
}
