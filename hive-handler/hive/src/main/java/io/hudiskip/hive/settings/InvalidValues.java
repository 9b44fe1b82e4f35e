// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each invalid value once per JVM. */
final class InvalidValues {
  private static final Logger LOG = LoggerFactory.getLogger(InvalidValues.class);

  /** Sessions can bring any number of values. */
  private static final int MAX_REPORTED = 1_000;

  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private InvalidValues() {}

  static void report(String name, String value, String expected, String used) {
    if (REPORTED.size() < MAX_REPORTED && REPORTED.add(name + '=' + value)) {
      LOG.warn("{}={} is not {}; using {}", name, value, expected, used);
    }
  }
}
