// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import io.hudiskip.hive.metrics.JobCounters;
import io.hudiskip.scan.LogLine;
import io.hudiskip.scan.TableScan;
import org.apache.hadoop.mapred.FileSplit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one {@link LogLine} per split that shadow mode checks, and adds to the job's counters {@code
 * shadow.files} (at a file's first split), {@code shadow.rows}, {@code shadow.violations} and
 * {@code shadow.failures}.
 */
final class ShadowLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.shadow");

  private final TableScan scan;
  private final FileSplit split;
  private final JobCounters counters;

  ShadowLog(TableScan scan, FileSplit split, JobCounters counters) {
    this.scan = scan;
    this.split = split;
    this.counters = counters;
  }

  void checked(ShadowFindings findings, long millis) {
    counters.add("shadow.files", split.getStart() == 0 ? 1 : 0);
    counters.add("shadow.rows", findings.rows());
    counters.add("shadow.violations", findings.violations());
    if (findings.violations() > 0) {
      LOG.warn("{}", checkedLine(findings, millis));
    } else {
      LOG.info("{}", checkedLine(findings, millis));
    }
  }

  void failed(Throwable reason) {
    counters.add("shadow.failures", 1);
    LOG.warn("{}", failedLine(reason), reason);
  }

  LogLine checkedLine(ShadowFindings findings, long millis) {
    LogLine line =
        start()
            .add("rows", findings.rows())
            .add("violations", findings.violations())
            .add("ms", millis);
    return findings.violations() > 0 ? line.add("row", findings.firstViolation()) : line;
  }

  LogLine failedLine(Throwable reason) {
    return start().add("error", reason);
  }

  private LogLine start() {
    return LogLine.about("shadow", scan)
        .add(
            "file",
            split.getPath().toUri().getPath().substring(scan.root().toUri().getPath().length() + 1))
        .add("start", split.getStart());
  }
}
