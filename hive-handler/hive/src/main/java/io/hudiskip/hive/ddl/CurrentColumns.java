// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * The current columns of a Hudi table. Hive requests a table several times while it compiles a
 * statement; it is opened once, so each statement sees one schema.
 */
final class CurrentColumns {
  private static final Duration EXPIRY = Duration.ofMinutes(1);
  private static final Cache<List<Object>, Map<String, TypeInfo>> BY_STATEMENT =
      Caffeine.newBuilder()
          .maximumSize(1_000)
          .expireAfterWrite(EXPIRY)
          .executor(Runnable::run)
          .build();

  private CurrentColumns() {}

  /** The columns of the table at {@code location}, in order, by lower-case name. */
  static Map<String, TypeInfo> of(Configuration conf, String location)
      throws UnreadableTableException {
    SessionState session = SessionState.get();
    if (session == null || session.getQueryCurrentTimestamp() == null) {
      return HudiTable.open(conf, location).columns();
    }
    // Hive sets the timestamp when it begins to compile a statement. The query id would not do: the
    // metastore client keeps the configuration of the first one.
    List<Object> statement =
        Arrays.asList(session.getSessionId(), session.getQueryCurrentTimestamp(), location);
    Map<String, TypeInfo> known = BY_STATEMENT.getIfPresent(statement);
    if (known == null) {
      known = HudiTable.open(conf, location).columns();
      BY_STATEMENT.put(statement, known);
    }
    return known;
  }
}
