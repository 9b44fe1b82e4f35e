// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.hive.settings.InvalidSettingException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;

/**
 * Keeps the scan of a past state separate from other scans of its table while Hive plans a
 * statement. Hive 4.0 to 4.2 merge scans of one table in two places, neither of which considers
 * {@code AS OF}:
 *
 * <ul>
 *   <li>Calcite's {@code HepPlanner} keeps one node per digest. {@code HiveTableScan.explainTerms}
 *       puts the table's name and the scan's alias into it, and every scan without its own alias
 *       has the table's. With {@code hive.cbo.returnpath.hiveop} the digest has the path of query
 *       blocks, which no two scans share, instead of the alias. {@code
 *       CalcitePlanner.genTableLogicalPlan} reads that setting when it creates a scan; its other
 *       effects come later and must stay off.
 *   <li>{@code SharedWorkOptimizer} merges scans of tables with the same name ({@code
 *       areMergeable}) and shares hash tables of joins with them ({@code compareOperator}). {@code
 *       TezCompiler} runs it only if {@code hive.optimize.shared.work} is set.
 * </ul>
 *
 * <p>So the first setting is true only while the scan of a past state is created, and the second is
 * false for a statement with such a scan. Hive has no callback for that; instead, these calls
 * arrive in this order, all in the thread that compiles the statement:
 *
 * <ol>
 *   <li>{@code SemanticAnalyzer.getMetaData} creates a {@code Table} with its own handler for each
 *       scan, and calls the handler's {@code isTimeTravelAllowed} if the scan has an {@code AS OF}.
 *   <li>{@code genTableLogicalPlan}, and without or after the CBO {@code genTablePlan}, pass the
 *       statement's settings to the SerDe ({@code handleJobLevelConfiguration}) and call the
 *       handler's {@code supportsAcidOperations}.
 *   <li>{@code genTableLogicalPlan} calls {@code areSnapshotsSupported} and creates the scan. Since
 *       4.1, {@code genTablePlan} calls it too, where nothing reads the first setting before the
 *       jobs are planned; so the name of the caller decides.
 *   <li>{@code HiveRelOptMaterializationValidator} calls {@code areSnapshotsSupported} again. It
 *       stops at unknown operators; then Hive requests statistics ({@code RelOptHiveTable}) before
 *       it reads the setting again.
 *   <li>When the plan is done, Hive requests the settings of its jobs.
 * </ol>
 *
 * <p>Each handler has one of these objects. The settings belong to the statement: HiveServer2
 * copies the session's for each ({@code QueryState.Builder}).
 */
public final class SeparateScans {
  private static final ThreadLocal<Statement> COMPILED = new ThreadLocal<>();

  /** The method of Hive that creates scans of a Calcite plan. */
  private static final String CREATES_SCANS = "genTableLogicalPlan";

  private boolean isPast;

  /** A statement that this thread compiles, from one scan of a handler's table to the next. */
  private static final class Statement {
    private final WeakReference<HiveConf> settings;
    private boolean isByQueryBlock;

    Statement(HiveConf settings) {
      this.settings = new WeakReference<>(settings);
    }

    /** No-op if the session has set it: the digest then has the query block anyway. */
    void startByQueryBlock() {
      HiveConf conf = settings.get();
      if (conf != null && !conf.getBoolVar(ConfVars.HIVE_CBO_RETPATH_HIVEOP)) {
        set(ConfVars.HIVE_CBO_RETPATH_HIVEOP, true);
        isByQueryBlock = true;
      }
    }

    /** Returns whether there was anything to end. */
    boolean endByQueryBlock() {
      boolean ended = isByQueryBlock;
      if (ended) {
        set(ConfVars.HIVE_CBO_RETPATH_HIVEOP, false);
        isByQueryBlock = false;
      }
      return ended;
    }

    /** Returns whether the settings still exist. */
    private boolean set(ConfVars setting, boolean value) {
      HiveConf conf = settings.get();
      if (conf != null) {
        conf.setBoolVar(setting, value);
      }
      return conf != null;
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
      statement.set(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION, false);
    }
  }

  /**
   * Keeps all scans of the statement that this thread compiles separate, because its plan sends
   * values of a join to one of them: {@code SharedWorkOptimizer}, which runs afterwards, would give
   * the values for one scan to another that it merges with the first.
   *
   * @return false if the statement's settings are not known
   */
  public static boolean keepAllSeparate() {
    Statement statement = COMPILED.get();
    return statement != null && statement.set(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION, false);
  }

  /**
   * The text of the statement that this thread compiles; empty if it is not known. The session has
   * a text, too, but that of whichever of its statements was compiled last.
   */
  public static Optional<String> text() {
    Statement statement = COMPILED.get();
    HiveConf conf = statement == null ? null : statement.settings.get();
    return Optional.ofNullable(conf == null ? null : HiveConf.getQueryString(conf));
  }

  /** Step 3 if Hive is creating a scan, otherwise step 4. */
  public void makeOrCheckScan() {
    finishScan();
    Statement statement = COMPILED.get();
    if (isPast && statement != null && isCreatingScan()) {
      statement.startByQueryBlock();
    }
  }

  private static boolean isCreatingScan() {
    return Arrays.stream(Thread.currentThread().getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals(CREATES_SCANS));
  }

  /** Any step but the third: the scan has been created. */
  public static void finishScan() {
    Statement statement = COMPILED.get();
    if (statement != null) {
      statement.endByQueryBlock();
    }
  }

  /**
   * Step 5, which must follow a fourth.
   *
   * @throws InvalidSettingException when there was none, so Hive has planned with a setting that is
   *     only for creating scans
   */
  public static void requireFinishedScan() {
    Statement statement = COMPILED.get();
    if (statement != null && statement.endByQueryBlock()) {
      throw new InvalidSettingException(
          "Hive would mix up two states of a table in this statement: SET hive.cbo.enable=false,"
              + " or copy the past state into a separate table first");
    }
  }
}
