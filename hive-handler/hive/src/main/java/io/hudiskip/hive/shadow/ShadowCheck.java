// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import io.hudiskip.compile.filter.FilterTermBuilder;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.scan.FileSelector;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.scan.read.SliceRows;
import io.hudiskip.scan.read.TableColumns;
import io.hudiskip.scan.savings.semijoin.SemijoinFilter;
import io.hudiskip.scan.savings.semijoin.Semijoins;
import io.hudiskip.table.source.KeepAllFilesException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shadow mode: looks for rows that skipping would have lost.
 *
 * <p>When a split of a file that would be skipped is opened, Hive's own evaluator checks all its
 * rows; one for which the scan's filter is TRUE is a violation. The query's own reading is neither
 * changed nor failed by it. The listing passes no list of files, so the check decides again whether
 * the file would be skipped. Tasks do not have the values of joins: where those skip a file, its
 * split says so. Semijoins skip a file when its first row is read, and are checked then.
 */
public final class ShadowCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowCheck.class);

  /** Rows between progress reports to the engine. */
  private static final int ROWS_PER_REPORT = 10_000;

  private final SliceSplit split;
  private final JobConf job;
  private final Reporter reporter;

  private ShadowCheck(SliceSplit split, JobConf job, Reporter reporter) {
    this.split = split;
    this.job = job;
    this.reporter = reporter;
  }

  /** Checks a split if the mode is shadow and its file would be skipped. Never throws. */
  public static void run(InputSplit split, JobConf job, Reporter reporter) {
    if (isOn(job) && split instanceof SliceSplit) {
      ShadowCheck check = new ShadowCheck((SliceSplit) split, job, reporter);
      check.run(check::unmet);
    }
  }

  /**
   * If the mode is shadow, checks a split all of whose rows semijoins drop. Never throws.
   *
   * @return whether the mode is shadow, so that the query reads the split all the same
   */
  public static boolean runOfSemijoins(SliceSplit split, JobConf job, Reporter reporter) {
    boolean isOn = isOn(job);
    if (isOn) {
      new ShadowCheck(split, job, reporter)
          .run(
              scan ->
                  Optional.of(SemijoinFilter.condition(Semijoins.of(scan)))
                      .map(SerializationUtilities::serializeExpression)
                      .map(SerializationUtilities::deserializeExpression));
    }
    return isOn;
  }

  private static boolean isOn(JobConf job) {
    return SkippingConf.of(job).mode() == SkippingMode.SHADOW;
  }

  /**
   * Checks the split.
   *
   * @param condition what no row of the file meets if skipping is right; empty if it is kept
   */
  private void run(Function<TableScan, Optional<ExprNodeDesc>> condition) {
    Path file = split.getPath();
    try {
      TableScan scan = TableScan.reading(job, split);
      Optional<ExprNodeDesc> unmet = condition.apply(scan);
      if (!unmet.isPresent()) {
        return;
      }
      ShadowLog log = new ShadowLog(scan, split, split.counters(job, reporter));
      try {
        long start = System.nanoTime();
        ShadowFindings findings = read(unmet.get());
        log.checked(findings, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      } catch (InterruptedException | InterruptedIOException e) {
        Thread.currentThread().interrupt(); // also ends the query's own reader
        log.failed(e);
      } catch (Throwable e) { // whatever Error the check meets, the query still reads the file
        log.failed(e);
      }
    } catch (Throwable e) { // whatever Error the check meets, the query still reads the file
      LOG.warn("Shadow mode cannot determine whether {} would be skipped", file, e);
    }
  }

  /** Of the scan's own filter, or of the values of joins. */
  private Optional<ExprNodeDesc> unmet(TableScan scan) {
    try {
      if (!FileSelector.select(scan, Collections.singletonList(split.slice())).keeps(0)) {
        // A copy: functions have state, and other threads evaluate their own.
        return scan.filter()
            .expression()
            .map(ExprNodeDesc::clone)
            .flatMap(FilterTermBuilder::withoutSynthetic);
      }
    } catch (KeepAllFilesException e) {
      LOG.debug("No file in {} would be skipped by the scan's own filter", scan.root(), e);
    }
    return split
        .saving(Text.class)
        .map(Text::toString)
        .map(SerializationUtilities::deserializeExpression)
        .flatMap(FilterTermBuilder::withoutSynthetic);
  }

  private ShadowFindings read(ExprNodeDesc unmet) throws Exception {
    Set<String> columns = new TreeSet<>(unmet.getCols());
    StructObjectInspector inspector = TableColumns.inspector(job);
    ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(unmet, job);
    PrimitiveObjectInspector result = (PrimitiveObjectInspector) evaluator.initialize(inspector);
    ShadowFindings findings = new ShadowFindings(inspector, columns);
    RecordReader<NullWritable, ArrayWritable> rows = SliceRows.openAll(split, job, columns);
    try {
      ArrayWritable row = rows.createValue();
      while (rows.next(null, row)) {
        Object accepted = result.getPrimitiveJavaObject(evaluator.evaluate(row));
        findings.add(row, Boolean.TRUE.equals(accepted));
        if (findings.rows() % ROWS_PER_REPORT == 0) {
          reporter.progress();
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the query was ended");
          }
        }
      }
      return findings;
    } finally {
      rows.close();
    }
  }
}
