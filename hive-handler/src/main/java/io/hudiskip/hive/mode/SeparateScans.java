/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.InvalidSettingException;
import java.lang.ref.WeakReference;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;

/**
 * Keeps the scan of a past state apart from the other scans of its table while Hive plans a
 * statement. Hive 4.0.1 takes two scans of one table for the same in two places, and neither looks
 * at {@code AS OF}:
 *
 * <ul>
 *   <li>Calcite's {@code HepPlanner} keeps one node for equal digests. That of {@code
 *       HiveTableScan.explainTerms} has the table's name and the scan's alias, and every scan
 *       without an alias of its own has the table's. With {@code hive.cbo.returnpath.hiveop} the
 *       digest has the path of query blocks instead of the alias, which no two scans share. {@code
 *       CalcitePlanner.genTableLogicalPlan} reads that setting as it makes a scan; what else the
 *       setting turns on comes later, and must stay off.
 *   <li>{@code SharedWorkOptimizer} merges scans of tables with the same name ({@code
 *       areMergeable}), and shares hash tables of joins with them ({@code compareOperator}). {@code
 *       TezCompiler} asks {@code hive.optimize.shared.work} whether it runs at all.
 * </ul>
 *
 * <p>So the first setting is true only while the scan of a past state is made, and the second is
 * false for a statement with such a scan. Hive has no call for that; these are its calls in the
 * order in which it makes them, all in the thread that compiles the statement:
 *
 * <ol>
 *   <li>{@code SemanticAnalyzer.getMetaData} makes a {@code Table} for each scan, which has a
 *       handler of its own, and asks that for {@code isTimeTravelAllowed} if the scan has an {@code
 *       AS OF}.
 *   <li>{@code genTableLogicalPlan}, and without the CBO or after it {@code genTablePlan}, hand the
 *       statement's settings to the SerDe ({@code handleJobLevelConfiguration}), and ask the
 *       handler {@code supportsAcidOperations}.
 *   <li>{@code genTableLogicalPlan} asks {@code areSnapshotsSupported} and makes the scan.
 *   <li>{@code HiveRelOptMaterializationValidator} asks {@code areSnapshotsSupported} again. It
 *       stops at operators that it does not know; then Hive asks for statistics ({@code
 *       RelOptHiveTable}) before it reads the setting once more.
 *   <li>When the plan is done, Hive asks for the settings of its jobs.
 * </ol>
 *
 * <p>Each handler has one of these objects. The settings are those of the statement: HiveServer2
 * copies the session's for each ({@code QueryState.Builder}).
 */
public final class SeparateScans {
  private static final ThreadLocal<Statement> COMPILED = new ThreadLocal<>();

  private boolean isPast;

  /** A statement that this thread compiles, from one scan of a handler's table to the next. */
  private static final class Statement {
    private final WeakReference<HiveConf> settings;
    private boolean scanFollows = true;
    private boolean isByQueryBlock;

    Statement(HiveConf settings) {
      this.settings = new WeakReference<>(settings);
    }

    void shareNoWork() {
      set(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION, false);
    }

    /** Unless the session has set it: then the digest has the query block anyway. */
    void startByQueryBlock() {
      HiveConf conf = settings.get();
      if (conf != null && !conf.getBoolVar(ConfVars.HIVE_CBO_RETPATH_HIVEOP)) {
        set(ConfVars.HIVE_CBO_RETPATH_HIVEOP, true);
        isByQueryBlock = true;
      }
    }

    /** Whether there was anything to end. */
    boolean endByQueryBlock() {
      boolean ended = isByQueryBlock;
      if (ended) {
        set(ConfVars.HIVE_CBO_RETPATH_HIVEOP, false);
        isByQueryBlock = false;
      }
      return ended;
    }

    private void set(ConfVars setting, boolean value) {
      HiveConf conf = settings.get();
      if (conf != null) {
        conf.setBoolVar(setting, value);
      }
    }
  }

  /** Step 2: a scan of a handler's table follows in the statement with these settings. */
  public static void scanFollows(HiveConf settings) {
    finishScan();
    COMPILED.set(new Statement(settings));
  }

  /** Step 1: the scan has an {@code AS OF}. */
  public void readPastState() {
    finishScan();
    isPast = true;
  }

  /** Step 2: the scan becomes part of a plan. */
  public void joinPlan() {
    Statement statement = COMPILED.get();
    if (isPast && statement != null) {
      statement.shareNoWork();
    }
  }

  /** Step 3, if the SerDe was called just before, and else step 4. */
  public void makeOrCheckScan() {
    finishScan();
    Statement statement = COMPILED.get();
    if (statement != null && statement.scanFollows) {
      statement.scanFollows = false;
      if (isPast) {
        statement.startByQueryBlock();
      }
    }
  }

  /** Any step but the third: the scan that was to be made has been. */
  public static void finishScan() {
    Statement statement = COMPILED.get();
    if (statement != null) {
      statement.endByQueryBlock();
    }
  }

  /**
   * Step 5, before which there was a fourth.
   *
   * @throws InvalidSettingException when there was none, so that Hive has planned with a setting
   *     that is only for making scans
   */
  public static void requireFinishedScan() {
    Statement statement = COMPILED.get();
    if (statement != null && statement.endByQueryBlock()) {
      throw new InvalidSettingException(
          "Hive cannot keep the states of a table apart in this statement: SET"
              + " hive.cbo.enable=false, or read the past state into a table of its own first");
    }
  }
}
