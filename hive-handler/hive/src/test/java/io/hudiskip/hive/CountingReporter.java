// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.Reporter;

/** Keeps the counters of the group {@code hudi-skip}. */
public final class CountingReporter implements Reporter {
  private final Map<String, Long> counts = new HashMap<>();

  /** The count of a name, 0 if nothing was counted. */
  public long of(String name) {
    return counts.getOrDefault(name, 0L);
  }

  public Collection<String> names() {
    return counts.keySet();
  }

  @Override
  public void incrCounter(String group, String counter, long amount) {
    if (group.equals("hudi-skip")) {
      counts.merge(counter, amount, Long::sum);
    }
  }

  @Override
  public void incrCounter(Enum<?> key, long amount) {}

  @Override
  public Counters.Counter getCounter(Enum<?> name) {
    return null;
  }

  @Override
  public Counters.Counter getCounter(String group, String name) {
    return null;
  }

  @Override
  public InputSplit getInputSplit() {
    throw new UnsupportedOperationException();
  }

  @Override
  public float getProgress() {
    return 0;
  }

  @Override
  public void setStatus(String status) {}

  @Override
  public void progress() {}
}
