/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.SkippingConf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The clients of this JVM, one for each set of compiler settings. A session can change its
 * settings, so their number is bounded: the one that was used least recently is closed. All are
 * closed when the JVM ends.
 */
public final class SharedClients {
  private static final int MAX_CLIENTS = 8;
  private static final SharedClients INSTANCE = create();

  private final Map<List<Object>, PredicateCompilerClient> clients =
      new LinkedHashMap<>(MAX_CLIENTS, 0.75f, true);

  private SharedClients() {}

  private static SharedClients create() {
    SharedClients created = new SharedClients();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(created::closeAll, "hudi-skip-compiler-shutdown"));
    return created;
  }

  /**
   * The client for a configuration: the same one in the whole JVM for equal compiler settings
   * ({@link SkippingConf#COMPILER_PREFIX}), and so one compiler. It is closed with the JVM.
   *
   * @param conf settings of the server or session, without table properties
   */
  public static PredicateCompilerClient get(Configuration conf) {
    return INSTANCE.client(SkippingConf.of(conf));
  }

  private PredicateCompilerClient client(SkippingConf conf) {
    PredicateCompilerClient evicted = null;
    PredicateCompilerClient client;
    synchronized (this) {
      client = clients.get(conf.compilerKey());
      if (client == null) {
        if (clients.size() >= MAX_CLIENTS) {
          evicted = clients.remove(clients.keySet().iterator().next());
        }
        client = PredicateCompilerClient.create(conf);
        clients.put(conf.compilerKey(), client);
      }
    }
    if (evicted != null) {
      evicted.close();
    }
    return client;
  }

  private void closeAll() {
    List<PredicateCompilerClient> closing;
    synchronized (this) {
      closing = new ArrayList<>(clients.values());
      clients.clear();
    }
    closing.forEach(PredicateCompilerClient::close);
  }
}
