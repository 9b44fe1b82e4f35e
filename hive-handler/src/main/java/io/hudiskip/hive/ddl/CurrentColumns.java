/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * The columns that a Hudi table has now. Hive asks for a table several times while it compiles a
 * statement; the table is opened for the first of them, and all of a statement sees one schema.
 */
final class CurrentColumns {
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Cache<List<Object>, Map<String, TypeInfo>> OF_STATEMENTS =
      Caffeine.newBuilder()
          .maximumSize(1_000)
          .expireAfterWrite(KEPT)
          .executor(Runnable::run)
          .build();

  private CurrentColumns() {}

  /**
   * The columns of the table at {@code location}, in its order, by lower-case names.
   *
   * @throws UnreadableTableException when there is no table, or one that Hive cannot read
   */
  static Map<String, TypeInfo> of(Configuration conf, String location)
      throws UnreadableTableException {
    SessionState session = SessionState.get();
    if (session == null || session.getQueryCurrentTimestamp() == null) {
      return HudiTable.open(conf, location).columns();
    }
    // Set anew for each statement, when its compilation begins. The id of the query would not do:
    // the client of the metastore keeps the configuration of the one that it was made for.
    List<Object> statement =
        Arrays.asList(session.getSessionId(), session.getQueryCurrentTimestamp(), location);
    Map<String, TypeInfo> known = OF_STATEMENTS.getIfPresent(statement);
    if (known == null) {
      known = HudiTable.open(conf, location).columns();
      OF_STATEMENTS.put(statement, known);
    }
    return known;
  }
}
