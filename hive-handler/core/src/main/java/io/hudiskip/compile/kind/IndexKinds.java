// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds this reader knows: the built-in ones, and those in jars beside the handler's own (same
 * class loader) when the first query is planned.
 */
public final class IndexKinds {
  private static final Logger LOG = LoggerFactory.getLogger(IndexKinds.class);
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private IndexKinds() {}

  private static final class Known {
    static final Map<String, IndexKind> KINDS = Collections.unmodifiableMap(load());
  }

  private static Map<String, IndexKind> load() {
    Map<String, IndexKind> kinds = new HashMap<>();
    for (IndexKind kind : installed()) {
      kinds.put(kind.name(), kind);
    }
    // Built-in names always mean the built-in kinds, as they do for writers.
    for (IndexKind kind : new IndexKind[] {new BloomKind(), new ValueSetKind()}) {
      kinds.put(kind.name(), kind);
    }
    return kinds;
  }

  private static List<IndexKind> installed() {
    List<IndexKind> installed = new ArrayList<>();
    Iterator<IndexKind> found =
        ServiceLoader.load(IndexKind.class, IndexKind.class.getClassLoader()).iterator();
    while (true) {
      try {
        if (!found.hasNext()) {
          return installed;
        }
        installed.add(new FailSafeKind(found.next()));
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        LOG.warn("Cannot load an index kind; its records are ignored", e);
      }
    }
  }

  public static Collection<IndexKind> all() {
    return Known.KINDS.values();
  }

  /** The kind of that name; if no jar has it, empty (logged once), and files are kept. */
  public static Optional<IndexKind> named(String name) {
    Optional<IndexKind> kind = Optional.ofNullable(Known.KINDS.get(name));
    if (!kind.isPresent() && REPORTED.add(name)) {
      LOG.warn(
          "No jar beside the hudi-skip jar provides the index kind {}; its records are ignored",
          name);
    }
    return kind;
  }
}
