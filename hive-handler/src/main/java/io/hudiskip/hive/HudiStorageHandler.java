/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import io.hudiskip.InvalidSettingException;
import io.hudiskip.SkippingConf;
import io.hudiskip.SkippingMode;
import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.filter.TypedFilter;
import io.hudiskip.hive.ddl.HudiMetaHook;
import io.hudiskip.hive.ddl.Refusals;
import io.hudiskip.hive.ddl.TableLike;
import io.hudiskip.hive.mode.MisnamedSettings;
import io.hudiskip.hive.mode.QueryMode;
import io.hudiskip.hive.mode.SeparateScans;
import io.hudiskip.hive.scan.FilterCompiler;
import io.hudiskip.hive.scan.PlannedScan;
import io.hudiskip.hive.scan.PushdownSwitches;
import io.hudiskip.hive.scan.PushedExpression;
import io.hudiskip.hive.table.TableTotals;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.hive_metastoreConstants;
import org.apache.hadoop.hive.ql.ddl.table.AlterTableType;
import org.apache.hadoop.hive.ql.ddl.table.create.like.CreateTableLikeDesc;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.metadata.DefaultStorageHandler;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.metadata.HiveStoragePredicateHandler;
import org.apache.hadoop.hive.ql.metadata.InputEstimator;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.parse.SemanticException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FileSinkDesc;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.ql.stats.Partish;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.Deserializer;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hudi.hadoop.HoodieParquetInputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hive's view of a Hudi table, with data skipping: {@code CREATE EXTERNAL TABLE t STORED BY
 * 'io.hudiskip.hive.HudiStorageHandler' LOCATION '…'}.
 *
 * <p>Compiling a statement, Hive offers the filter of each scan; it is compiled there, where the
 * predicate compiler is at hand, and travels with the plan to the listing of the files. The rows
 * are always filtered by Hive as well, with the whole filter: skipping files is not exact.
 */
public class HudiStorageHandler extends DefaultStorageHandler
    implements HiveStoragePredicateHandler, InputEstimator {
  private static final Logger LOG = LoggerFactory.getLogger(HudiStorageHandler.class);

  /**
   * The alterations that reach the hook, which refuses most of them and says what to do instead.
   */
  private static final List<AlterTableType> ALTERATIONS =
      Collections.unmodifiableList(
          Arrays.asList(
              AlterTableType.ADDPROPS,
              AlterTableType.DROPPROPS,
              AlterTableType.ADDCOLS,
              AlterTableType.RENAME,
              AlterTableType.ALTERLOCATION));

  /** The settings that a job takes from the session alone. */
  private static final List<String> SESSION_SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(
              SkippingConf.COMPILER_COMMAND,
              SkippingConf.COMPILER_ADDRESS,
              SkippingConf.COMPILER_TIMEOUT_MS,
              SkippingConf.COMPILER_START_TIMEOUT_MS,
              SkippingConf.COMPILER_MAX_RESTARTS,
              SkippingConf.COMPILER_MAX_MESSAGE_BYTES,
              SkippingConf.COMPILER_CACHE_ENTRIES,
              SkippingConf.HBASE_QUORUM,
              SkippingConf.HBASE_TABLE,
              SkippingConf.HBASE_TIMEOUT_MS,
              SkippingConf.INDEX_CACHE_BYTES));

  /** Of the one table that Hive has made this handler for. */
  private final SeparateScans scans = new SeparateScans();

  @Override
  public Class<? extends InputFormat> getInputFormatClass() {
    return HudiSkippingInputFormat.class;
  }

  @Override
  public Class<? extends OutputFormat> getOutputFormatClass() {
    return ReadOnlyOutputFormat.class;
  }

  @Override
  public Class<? extends AbstractSerDe> getSerDeClass() {
    return HudiSerDe.class;
  }

  @Override
  public HiveMetaHook getMetaHook() {
    return new HudiMetaHook(getConf());
  }

  /**
   * Settles the settings of the jobs that read the table. Hive copies these properties over those
   * of session and table, so that the more cautious mode wins wherever it was said, and a table
   * cannot choose the compiler. Hive calls this while it compiles a query, so that an unknown value
   * fails the query before anything runs.
   *
   * @throws InvalidSettingException when session or table have a setting of an unknown value, or
   *     the session names the table as Hive does in one of Hudi's
   */
  @Override
  public void configureInputJobProperties(TableDesc table, Map<String, String> jobProperties) {
    SeparateScans.requireFinishedScan();
    SkippingConf.requireKnown("session", getConf()::get);
    SkippingConf.requireKnown("table", table.getProperties()::getProperty);
    MisnamedSettings.refuse(
        getConf(),
        table.getTableName(),
        table.getProperties().getProperty(hive_metastoreConstants.META_TABLE_LOCATION));
    jobProperties.put(
        SkippingConf.MODE, SkippingConf.mode(getConf(), table.getProperties()).toString());
    jobProperties.put(
        SkippingConf.EXPLAIN,
        Boolean.toString(SkippingConf.explain(getConf(), table.getProperties())));
    jobProperties.put(
        SkippingConf.INDEX, SkippingConf.index(getConf(), table.getProperties()).toString());
    jobProperties.put(
        SkippingConf.LISTING, SkippingConf.listing(getConf(), table.getProperties()).toString());
    jobProperties.put(
        SkippingConf.CATALOGUE,
        SkippingConf.catalogue(getConf(), table.getProperties()).toString());
    jobProperties.put(QueryMode.READ_OPTIMIZED, Boolean.toString(isReadOptimized(table)));
    for (String setting : SESSION_SETTINGS) {
      jobProperties.put(setting, getConf().get(setting, ""));
    }
  }

  /** On MapReduce a job has one set of properties for a path, whichever tables it reads there. */
  private boolean isReadOptimized(TableDesc table) {
    boolean isReadOptimized =
        Boolean.parseBoolean(table.getProperties().getProperty(QueryMode.READ_OPTIMIZED));
    if (isReadOptimized
        && "mr".equals(HiveConf.getVar(getConf(), HiveConf.ConfVars.HIVE_EXECUTION_ENGINE))) {
      throw new InvalidSettingException(
          table.getTableName()
              + " has "
              + QueryMode.READ_OPTIMIZED
              + "=true, which MapReduce does not keep apart from other tables over the same files:"
              + " SET hive.execution.engine=tez");
    }
    return isReadOptimized;
  }

  /** Ships the handler to the tasks. */
  @Override
  public void configureJobConf(TableDesc table, JobConf job) {
    try {
      // Both are in the one bundle, or each in a jar of its own.
      Utilities.addDependencyJars(job, HudiStorageHandler.class, HoodieParquetInputFormat.class);
    } catch (IOException | RuntimeException e) {
      // In local mode, and with the jar in auxlib, tasks have it anyway.
      LOG.info("The handler is not shipped to tasks: {}", e.getMessage());
      LOG.debug("The handler is not shipped to tasks", e);
    }
  }

  @Override
  public DecomposedPredicate decomposePredicate(
      JobConf job, Deserializer deserializer, ExprNodeDesc predicate) {
    if (!(predicate instanceof ExprNodeGenericFuncDesc) || PushdownSwitches.off(job).isPresent()) {
      return null;
    }
    DecomposedPredicate decomposed = new DecomposedPredicate();
    // Two objects: Hive later adds terms to the filter of the rows in place, which are not for the
    // files.
    decomposed.pushedPredicate = (ExprNodeGenericFuncDesc) predicate.clone();
    decomposed.residualPredicate = (ExprNodeGenericFuncDesc) predicate;
    decomposed.pushedPredicateObject = compile(job, predicate);
    return decomposed;
  }

  /**
   * Null when nothing was compiled; the listing then tries once more, and says why if it cannot.
   */
  private PushedExpression compile(JobConf job, ExprNodeDesc predicate) {
    if (SkippingConf.of(job).mode() == SkippingMode.OFF) {
      return null;
    }
    try {
      TypedFilter filter = TypedFilter.of(predicate);
      if (filter.isEmpty()) {
        LOG.debug("No filter to compile: {}", filter.emptyReason());
        return null;
      }
      String location =
          StringEscapeUtils.unescapeJava(job.get(hive_metastoreConstants.META_TABLE_LOCATION));
      return FilterCompiler.compile(getConf(), job, filter, location);
    } catch (CompilerUnavailableException e) {
      LOG.debug(
          "The filter is not compiled", e); // the client has warned, once for each kind of failure
    } catch (Throwable e) { // whatever goes wrong in skipping, the query must go on
      LOG.warn("The filter is not compiled; files may not be skipped", e);
    }
    return null;
  }

  /** Adds to the plan that EXPLAIN prints what the scan would read. */
  @Override
  public Map<String, String> getOperatorDescProperties(
      OperatorDesc operator, Map<String, String> properties) {
    if (!(operator instanceof TableScanDesc) || !PlannedScan.isAskedFor(getConf())) {
      return properties;
    }
    TableScanDesc scan = (TableScanDesc) operator;
    Map<String, String> jobProperties = new HashMap<>();
    configureInputJobProperties(Utilities.getTableDesc(scan.getTableMetadata()), jobProperties);
    Map<String, String> lines = new LinkedHashMap<>();
    if (properties != null) {
      lines.putAll(properties);
    }
    lines.putAll(PlannedScan.describe(getConf(), jobProperties, scan));
    return lines;
  }

  @Override
  public boolean canProvideBasicStatistics() {
    return true;
  }

  /**
   * Size and rows of the table, so that Hive does not walk its folder, {@code .hoodie} included,
   * for every statement.
   */
  @Override
  public Map<String, String> getBasicStatistics(Partish partish) {
    SeparateScans.finishScan();
    Map<String, String> statistics = new HashMap<>();
    try {
      TableTotals totals = TableTotals.of(getConf(), partish.getTable().getPath());
      statistics.put(StatsSetupConst.NUM_FILES, Long.toString(totals.files()));
      statistics.put(StatsSetupConst.TOTAL_SIZE, Long.toString(totals.bytes()));
      totals
          .rows()
          .ifPresent(rows -> statistics.put(StatsSetupConst.ROW_COUNT, Long.toString(rows)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("The size of {} is not known", partish.getTable().getPath(), e);
    }
    return statistics;
  }

  /** Bytes that the scan reads: the limit above which a query does not run inside HiveServer2. */
  @Override
  public Estimation estimate(JobConf job, TableScanOperator scan, long remaining)
      throws HiveException {
    try {
      return PlannedScan.estimate(job, scan.getConf(), remaining);
    } catch (IOException | RuntimeException e) {
      throw new HiveException(e.getMessage(), e);
    }
  }

  /** {@code FOR SYSTEM_TIME AS OF} and {@code FOR SYSTEM_VERSION AS OF}. */
  @Override
  public boolean isTimeTravelAllowed() {
    scans.readPastState();
    return true;
  }

  /** None; Hive asks when a scan becomes part of a plan. */
  @Override
  public AcidSupportType supportsAcidOperations() {
    scans.joinPlan();
    return AcidSupportType.NONE;
  }

  /** None that materialized views could use; Hive asks when it makes a scan, and again later. */
  @Override
  public boolean areSnapshotsSupported() {
    scans.makeOrCheckScan();
    return false;
  }

  @Override
  public boolean isAllowedAlterOperation(AlterTableType operation) {
    return ALTERATIONS.contains(operation);
  }

  @Override
  public Map<String, String> getNativeProperties(Table table) {
    TableLike.claim(table, this); // CREATE TABLE … LIKE is all that Hive asks this for
    return super.getNativeProperties(table);
  }

  @Override
  public void setTableParametersForCTLT(
      Table table, CreateTableLikeDesc like, Map<String, String> propertiesOfOld) {
    TableLike.release(this, getConf(), table, like, propertiesOfOld);
  }

  @Override
  public void validateSinkDesc(FileSinkDesc sink) throws SemanticException {
    throw new SemanticException(Refusals.READ_ONLY);
  }
}
