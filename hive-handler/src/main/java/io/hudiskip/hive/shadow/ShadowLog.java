/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.shadow;

import io.hudiskip.hive.scan.LogLine;
import io.hudiskip.hive.scan.TableScan;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one {@link LogLine} that is logged for every split that shadow mode checks, and the counters
 * of the job: {@code shadow.files} (counted at the first split of a file), {@code shadow.rows},
 * {@code shadow.violations} and {@code shadow.failures} in the group {@code hudi-skip}.
 */
final class ShadowLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.shadow");
  private static final String GROUP = "hudi-skip";

  private final TableScan scan;
  private final FileSplit split;
  private final Reporter reporter;

  ShadowLog(TableScan scan, FileSplit split, Reporter reporter) {
    this.scan = scan;
    this.split = split;
    this.reporter = reporter;
  }

  /** Reports a check that was finished. */
  void checked(ShadowFindings findings, long millis) {
    reporter.incrCounter(GROUP, "shadow.files", split.getStart() == 0 ? 1 : 0);
    reporter.incrCounter(GROUP, "shadow.rows", findings.rows());
    reporter.incrCounter(GROUP, "shadow.violations", findings.violations());
    if (findings.violations() > 0) {
      LOG.warn("{}", checkedLine(findings, millis));
    } else {
      LOG.info("{}", checkedLine(findings, millis));
    }
  }

  /** Reports a check that came to no result. */
  void failed(Throwable reason) {
    reporter.incrCounter(GROUP, "shadow.failures", 1);
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
