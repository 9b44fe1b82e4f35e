// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * How the predicate compiler answers this process: the MBean {@code
 * Hadoop:service=hudi-skip,name=Compiler}. Thread-safe.
 */
public final class CompilerMetrics implements MetricsSource {
  private static final CompilerMetrics SHARED =
      HandlerMetrics.publish("Compiler", "Calls of the predicate compiler", new CompilerMetrics());

  private final MetricsRegistry registry =
      new MetricsRegistry("Compiler").setContext(HandlerMetrics.NAME);
  private final MutableCounterLong calls = counter("Calls", "Calls of the compiler");
  private final MutableCounterLong cached = counter("CachedAnswers", "Calls answered from memory");
  private final MutableCounterLong failures =
      counter("Failures", "Calls without a usable answer, after which all files are read");
  private final MutableCounterLong millis =
      counter("CallMillis", "Milliseconds for calls of the compiler, with starting it");

  CompilerMetrics() {}

  /** Those of this process. */
  public static CompilerMetrics shared() {
    return SHARED;
  }

  /** Adds an answer from the cache, for which the compiler was not called. */
  public void cached() {
    cached.incr();
  }

  /**
   * Adds a call.
   *
   * @param took milliseconds
   * @param answered whether there was a usable answer
   */
  public void called(long took, boolean answered) {
    calls.incr();
    millis.incr(took);
    if (!answered) {
      failures.incr();
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(registry.info()), all);
  }

  private MutableCounterLong counter(String name, String description) {
    return registry.newCounter(name, description, 0L);
  }
}
