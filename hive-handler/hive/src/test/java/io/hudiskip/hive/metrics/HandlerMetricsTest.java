// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.table.TableTotals;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

class HandlerMetricsTest {
  private static final TableTotals TABLE = TableTotals.of(42, 9_000);
  private static final Path FLIGHTS = new Path("/lake/flights");

  @Test
  void scansAddUpAndAQueryWithSeveralCountsOnce() {
    ScanMetrics metrics = new ScanMetrics();
    metrics.selected("q1", TABLE, TableTotals.of(3, 500), 7);
    metrics.selected("q1", TABLE, TableTotals.NONE, 2);
    metrics.unfiltered("q2", TABLE, 4);
    metrics.selected("", TABLE, TABLE, 0);
    metrics.selected("", TABLE, TABLE, 0);
    assertThat(value(metrics, "Queries")).as("those without an id count each").isEqualTo(4L);
    assertThat(value(metrics, "Scans")).isEqualTo(5L);
    assertThat(value(metrics, "UnfilteredScans")).isEqualTo(1L);
    assertThat(value(metrics, "FilesListed")).isEqualTo(5 * 42L);
    assertThat(value(metrics, "FilesKept")).isEqualTo(3 + 3 * 42L);
    assertThat(value(metrics, "FilesSkipped")).isEqualTo(39 + 42L);
    assertThat(value(metrics, "BytesSkipped")).isEqualTo(8_500 + 9_000L);
    assertThat(value(metrics, "SelectionMillis")).isEqualTo(13L);
    metrics.counted();
    assertThat(value(metrics, "RowCounts")).isEqualTo(1L);
    assertThat(value(metrics, "Scans")).as("no file was selected").isEqualTo(5L);
  }

  @Test
  void theTableWhoseIndexIsFurthestBehindIsShownUntilItsIndexHasCaughtUp() {
    ScanMetrics metrics = new ScanMetrics();
    assertThat(value(metrics, "IndexCommitsBehind")).isEqualTo(0);
    metrics.lag(FLIGHTS, 8, 2);
    metrics.lag(new Path("/lake/orders"), 1, 1);
    assertThat(value(metrics, "IndexCommitsBehind")).isEqualTo(2);
    metrics.lag(FLIGHTS, 0, 0);
    assertThat(value(metrics, "IndexCommitsBehind")).isEqualTo(1);
    assertThat(value(metrics, "FilesNotIndexed")).isEqualTo(9L);
  }

  @Test
  void callsOfTheCompilerWithoutAnAnswerAreFailures() {
    CompilerMetrics metrics = new CompilerMetrics();
    metrics.called(30, true);
    metrics.called(2_000, false);
    metrics.cached();
    assertThat(value(metrics, "Calls")).isEqualTo(2L);
    assertThat(value(metrics, "Failures")).isEqualTo(1L);
    assertThat(value(metrics, "CallMillis")).isEqualTo(2_030L);
    assertThat(value(metrics, "CachedAnswers")).isEqualTo(1L);
  }

  @Test
  void bothAreMBeans() throws Exception {
    ScanMetrics.shared();
    CompilerMetrics.shared();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (String name : new String[] {"Scans", "Compiler"}) {
      assertThat(server.isRegistered(new ObjectName("Hadoop:service=hudi-skip,name=" + name)))
          .as(name)
          .isTrue();
    }
  }

  private static Number value(MetricsSource source, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    List<? extends MetricsRecord> records = collector.getRecords();
    for (AbstractMetric metric : records.get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value();
      }
    }
    throw new AssertionError("no metric " + name);
  }
}
