// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler's metrics system, one per JVM as LLAP's: the default one belongs to the process, and
 * HiveServer2 does not start it. Its sinks are configured in {@code
 * hadoop-metrics2-hudi-skip.properties} or {@code hadoop-metrics2.properties}, with the prefix
 * {@code hudi-skip}.
 */
final class HandlerMetrics {
  /** The prefix, and {@code service} in the names of MBeans. */
  static final String NAME = "hudi-skip";

  private static final Logger LOG = LoggerFactory.getLogger(HandlerMetrics.class);
  private static final MetricsSystemImpl SYSTEM = new MetricsSystemImpl(NAME);

  static {
    try {
      SYSTEM.init(NAME);
    } catch (RuntimeException e) { // counts are kept, and shown nowhere
      LOG.warn("Metrics cannot be published", e);
    }
  }

  private HandlerMetrics() {}

  /** Publishes a source under this name, once in a JVM; returns it. */
  static <T extends MetricsSource> T publish(String name, String description, T source) {
    try {
      SYSTEM.register(name, description, source);
    } catch (RuntimeException e) { // no query may fail of it
      LOG.warn("The metrics {} cannot be published", name, e);
    }
    return source;
  }
}
