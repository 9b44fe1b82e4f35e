// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import com.github.benmanes.caffeine.cache.Cache;
import io.hudiskip.hive.settings.QueryCache;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.columns.TableArgument;
import io.hudiskip.table.source.IndexLag;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.common.LogUtils;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Tells a session, in Hive's operation log, what its query reads, so that beeline shows it. Only
 * HiveServer2 can reach the session: an application master, which lists the files of a job, cannot,
 * so before a job the session is told what HiveServer2 knows. Never throws.
 */
public final class SessionMessages {
  private static final Logger LOG = LoggerFactory.getLogger(SessionMessages.class);

  /** A logger that is in Hive's operation log at the level EXECUTION, its default. */
  private static final Logger SESSION = LoggerFactory.getLogger("SessionState");

  /** Why a query's filter was not compiled, by query id. */
  private static final Cache<String, String> NOT_COMPILED = QueryCache.create();

  /** Roots of the tables whose index {@link #beforeJob} has looked at, by query id. */
  private static final Cache<String, Set<Path>> LOOKED_AT = QueryCache.create();

  /** What {@link #once} has told, by query id. */
  private static final Cache<String, Set<String>> TOLD = QueryCache.create();

  private SessionMessages() {}

  /** Remembers for {@link #beforeJob} why a filter could not be compiled. */
  public static void notCompiled(Configuration session, String reason) {
    String query = HiveConf.getVar(session, HiveConf.ConfVars.HIVE_QUERY_ID);
    if (query != null && !query.isEmpty()) {
      NOT_COMPILED.put(query, reason);
    }
  }

  /** Messages while a query is compiled; Hive asks about each of its scans several times. */
  public static void once(Configuration session, List<String> messages) {
    String query = HiveConf.getVar(session, HiveConf.ConfVars.HIVE_QUERY_ID);
    for (String message : messages) {
      if (isFirst(TOLD, query, message)) {
        tell(session, message);
      }
    }
  }

  /**
   * Before a job reads a table: whether its index is damaged or behind, and whether the filter
   * could not be compiled.
   */
  public static void beforeJob(Configuration session, Path root) {
    SkippingConf settings = SkippingConf.of(session);
    if (SessionState.get() == null || !settings.messages() || settings.mode() == SkippingMode.OFF) {
      return;
    }
    String query = HiveConf.getVar(session, HiveConf.ConfVars.HIVE_QUERY_ID);
    String failure = query == null ? null : NOT_COMPILED.getIfPresent(query);
    if (failure != null) {
      NOT_COMPILED.invalidate(query); // once for a query, however many tables it reads
      tell(session, "no file is skipped unless the job can compile the filter: " + failure);
    }
    if (!isFirst(LOOKED_AT, query, root)) {
      return; // its later jobs need not open it again
    }
    try {
      int commits = IndexLag.commits(session, root);
      if (commits > 0) {
        tell(session, root.getName() + ": " + behind(commits, root));
      }
    } catch (IndexUnavailableException e) {
      tell(session, root.getName() + ": no file is skipped: " + e.getMessage());
    } catch (Exception | LinkageError e) {
      LOG.debug("Cannot determine how far the index of {} is behind", root, e);
    }
  }

  private static <V> boolean isFirst(Cache<String, Set<V>> known, @Nullable String query, V value) {
    return query == null
        || query.isEmpty()
        || known.get(query, any -> ConcurrentHashMap.newKeySet()).add(value);
  }

  /** That an index lacks commits or files, and what to do about it. */
  static String behind(int commits, Path root) {
    // Files may be missing although every commit was seen, if their statistics could not be read.
    String lag = commits == 0 ? "" : commits == 1 ? " 1 commit" : " " + commits + " commits";
    return "index" + lag + " behind: hudi-skip index update " + TableArgument.of(root);
  }

  /** Tells a session something, if it can be reached and wants to know. */
  static void tell(Configuration session, String message) {
    if (SessionState.get() == null || !SkippingConf.of(session).messages()) {
      return; // an application master
    }
    Map<String, String> context = MDC.getCopyOfContextMap();
    try {
      // A thread that fetches rows does not log for the query, and must not go on to do so: it
      // serves other sessions too.
      LogUtils.registerLoggingContext(session);
      SESSION.info("hudi-skip: {}", message.replaceAll("\\p{Cc}", " "));
    } catch (RuntimeException | LinkageError e) { // a message is not worth failing a query
      LOG.debug("Cannot tell the session: {}", message, e);
    } finally {
      MDC.setContextMap(context == null ? Collections.emptyMap() : context);
    }
  }
}
