// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.hive.settings.SkippingConf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The clients of this JVM, one per set of compiler settings. Sessions can change settings, so the
 * number is bounded: the least recently used client is closed, and all are closed when the JVM
 * ends.
 */
public final class SharedClients {
  private static final int MAX_CLIENTS = 8;
  private static final Map<List<Object>, PredicateCompilerClient> CLIENTS =
      new LinkedHashMap<>(MAX_CLIENTS, 0.75f, true);

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(SharedClients::closeAll, "hudi-skip-compiler-shutdown"));
  }

  private SharedClients() {}

  /**
   * The JVM-wide client for these compiler settings ({@link SkippingConf#COMPILER_PREFIX}), and so
   * one compiler. It is closed with the JVM.
   *
   * @param conf settings of the server or session, without table properties
   */
  public static PredicateCompilerClient get(Configuration conf) {
    SkippingConf settings = SkippingConf.of(conf);
    PredicateCompilerClient evicted = null;
    PredicateCompilerClient client;
    synchronized (CLIENTS) {
      client = CLIENTS.get(settings.compilerKey());
      if (client == null) {
        if (CLIENTS.size() >= MAX_CLIENTS) {
          evicted = CLIENTS.remove(CLIENTS.keySet().iterator().next());
        }
        client = new PredicateCompilerClient(settings);
        CLIENTS.put(settings.compilerKey(), client);
      }
    }
    if (evicted != null) {
      evicted.close();
    }
    return client;
  }

  private static void closeAll() {
    synchronized (CLIENTS) {
      CLIENTS.values().forEach(PredicateCompilerClient::close);
    }
  }
}
