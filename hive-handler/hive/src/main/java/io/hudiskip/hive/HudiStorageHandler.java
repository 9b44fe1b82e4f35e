// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.hive.ddl.ConvertedTable;
import io.hudiskip.hive.ddl.HudiMetaHook;
import io.hudiskip.hive.ddl.RefusalMessages;
import io.hudiskip.hive.ddl.TableLike;
import io.hudiskip.hive.settings.Impersonation;
import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.hive.settings.PushdownSwitches;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.hive.settings.UnknownSettings;
import io.hudiskip.scan.PushedExpression;
import io.hudiskip.scan.RowCount;
import io.hudiskip.scan.ScanEstimate;
import io.hudiskip.scan.SessionMessages;
import io.hudiskip.scan.savings.join.UnsentValues;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.catalogue.PartitionCatalogues;
import io.hudiskip.table.state.MisnamedSettings;
import io.hudiskip.table.state.QueriedState;
import io.hudiskip.table.state.SeparateScans;
import io.hudiskip.table.state.StateCheck;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.fs.Path;
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
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.stats.Partish;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.Deserializer;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hudi.common.util.CollectionUtils;
import org.apache.hudi.hadoop.HoodieParquetInputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a Hudi table in Hive with data skipping: {@code CREATE EXTERNAL TABLE t STORED BY
 * 'io.hudiskip.hive.HudiStorageHandler' LOCATION '…'}.
 *
 * <p>When Hive compiles a statement, it offers each scan's filter. The filter is compiled there,
 * where the predicate compiler is available, and travels with the plan to the file listing. Hive
 * still filters all rows with the whole filter, since file skipping is not exact.
 */
public class HudiStorageHandler extends DefaultStorageHandler
    implements HiveStoragePredicateHandler, InputEstimator {
  private static final Logger LOG = LoggerFactory.getLogger(HudiStorageHandler.class);

  /** The alterations passed to the hook, which rejects most of them with a remedy. */
  private static final List<AlterTableType> ALTERATIONS =
      CollectionUtils.createImmutableList(
          AlterTableType.ADDPROPS,
          AlterTableType.DROPPROPS,
          AlterTableType.ADDCOLS,
          AlterTableType.RENAME,
          AlterTableType.ALTERLOCATION);

  /** For the one table for which Hive created this handler. */
  private final SeparateScans scans = new SeparateScans();

  private final OfferedValues joins = new OfferedValues();

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
   * Fixes the settings of jobs that read the table. Hive copies these properties over the session's
   * and the table's, so the more cautious mode wins and a table cannot choose the compiler. Hive
   * calls this while it compiles a query, so an unknown value fails the query before it runs.
   *
   * @throws InvalidSettingException when session or table have a setting with an unknown value, or
   *     the session has one with an unknown name, or uses the table's Hive name in one of Hudi's,
   *     or the state that they request cannot be read
   */
  @Override
  public void configureInputJobProperties(TableDesc table, Map<String, String> jobProperties) {
    if (ConvertedTable.is(table.getProperties())) {
      throw new InvalidSettingException(ConvertedTable.queryError(table.getTableName()));
    }
    SeparateScans.requireFinishedScan();
    SkippingConf.requireKnown("session", getConf()::get);
    SkippingConf.requireKnown("table", table.getProperties()::getProperty);
    UnknownSettings.refuse(getConf());
    SessionMessages.once(
        getConf(), UnknownSettings.ofServerAndTable(getConf(), table.getProperties()));
    String location =
        table.getProperties().getProperty(hive_metastoreConstants.META_TABLE_LOCATION);
    MisnamedSettings.refuse(getConf(), table.getTableName(), location);
    boolean isReadOptimized = QueriedState.isReadOptimized(getConf(), table);
    if (location != null) {
      StateCheck.requireRequested(getConf(), location, isReadOptimized);
    }
    SkippingConf settings = SkippingConf.of(getConf(), table.getProperties());
    jobProperties.put(SkippingConf.MODE, settings.mode().toString());
    jobProperties.put(SkippingConf.EXPLAIN, Boolean.toString(settings.explain()));
    jobProperties.put(SkippingConf.INDEX, settings.index().toString());
    jobProperties.put(SkippingConf.LISTING, settings.listing().toString());
    jobProperties.put(SkippingConf.JOINS, settings.joins().toString());
    jobProperties.put(SkippingConf.COUNTS, countsOfUser(settings).toString());
    jobProperties.put(SkippingConf.TOP_K, topKOfPlan(settings).toString());
    jobProperties.put(SkippingConf.CATALOGUE, settings.catalogue());
    jobProperties.put(
        UnsentValues.PROPERTY,
        location == null ? "" : UnsentValues.of(getConf(), new Path(location)));
    jobProperties.put(QueriedState.READ_OPTIMIZED, Boolean.toString(isReadOptimized));
    for (String setting : SkippingConf.OF_SESSION) {
      jobProperties.put(setting, getConf().get(setting, ""));
    }
    // Blank where the session has none: on MapReduce the job also holds other tables' properties.
    for (String setting : PartitionCatalogues.settings()) {
      jobProperties.put(setting, getConf().get(setting, ""));
    }
  }

  /**
   * Off unless the plan that is being made groups on the map side: else a limit in it may be that
   * of groups. Later, as when a prepared statement runs, the session may have another setting.
   */
  private Switch topKOfPlan(SkippingConf settings) {
    return HiveConf.getBoolVar(getConf(), HiveConf.ConfVars.HIVE_MAPSIDE_AGGREGATE)
        ? settings.topK()
        : Switch.OFF;
  }

  /**
   * Off if the user may not be allowed to read each file. Only HiveServer2 can tell: an application
   * master runs as the user.
   */
  private static Switch countsOfUser(SkippingConf settings) {
    try {
      return Impersonation.isActive() ? Switch.OFF : settings.counts();
    } catch (IOException e) {
      LOG.debug("The user is not known", e);
      return Switch.OFF;
    }
  }

  @Override
  public void configureJobConf(TableDesc table, JobConf job) {
    String location =
        table.getProperties().getProperty(hive_metastoreConstants.META_TABLE_LOCATION);
    if (location != null) {
      SessionMessages.beforeJob(job, new Path(location));
    }
    try {
      // Both are in one bundle, or each in its own jar.
      Utilities.addDependencyJars(job, HudiStorageHandler.class, HoodieParquetInputFormat.class);
    } catch (IOException | RuntimeException e) {
      // In local mode, and with the jar in auxlib, tasks have it anyway.
      LOG.info("Not shipping the handler to tasks: {}", e.getMessage());
      LOG.debug("Not shipping the handler to tasks", e);
    }
  }

  @Override
  public DecomposedPredicate decomposePredicate(
      JobConf job, Deserializer deserializer, ExprNodeDesc predicate) {
    if (!(predicate instanceof ExprNodeGenericFuncDesc) || PushdownSwitches.off(job).isPresent()) {
      return null;
    }
    DecomposedPredicate decomposed = new DecomposedPredicate();
    // Two objects: Hive later adds terms to the rows' filter in place, which are not for files.
    decomposed.pushedPredicate = (ExprNodeGenericFuncDesc) predicate.clone();
    decomposed.residualPredicate = (ExprNodeGenericFuncDesc) predicate;
    decomposed.pushedPredicateObject = compile(job, predicate);
    return decomposed;
  }

  /** Null when nothing was compiled; the listing then tries again and logs why it fails. */
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
      PushedExpression pushed = PushedExpression.compile(getConf(), job, filter, location);
      return needsComplement(SkippingConf.of(job))
          ? PushedExpression.compileComplement(getConf(), job, predicate)
              .map(pushed::with)
              .orElse(pushed)
          : pushed;
    } catch (CompilerUnavailableException e) {
      SessionMessages.notCompiled(getConf(), e.getMessage());
      LOG.debug("The filter is not compiled", e); // the client warns once per kind of failure
    } catch (
        Throwable e) { // no Error of a jar, a file system or a user's function may fail the query
      LOG.warn("Cannot compile the filter; files may not be skipped", e);
    }
    return null;
  }

  /**
   * Whether to tell which files match as a whole. Where counts are on, that lets tasks count them.
   */
  private static boolean needsComplement(SkippingConf settings) throws IOException {
    return settings.counts() == Switch.ON
        ? !Impersonation.isActive()
        : settings.topK() == Switch.ON;
  }

  /** Whether a join sends the values of its other input to a scan before its files are listed. */
  @Override
  public boolean addDynamicSplitPruningEdge(Table table, ExprNodeDesc predicate) {
    return joins.accept(getConf(), table, predicate);
  }

  @Override
  public Map<String, String> getOperatorDescProperties(
      OperatorDesc operator, Map<String, String> properties) {
    if (!(operator instanceof TableScanDesc) || !ScanEstimate.isAskedFor(getConf())) {
      return properties;
    }
    TableScanDesc scan = (TableScanDesc) operator;
    Map<String, String> jobProperties = new HashMap<>();
    configureInputJobProperties(Utilities.getTableDesc(scan.getTableMetadata()), jobProperties);
    Map<String, String> lines = new LinkedHashMap<>();
    if (properties != null) {
      lines.putAll(properties);
    }
    lines.putAll(ScanEstimate.describe(getConf(), jobProperties, scan));
    if (Switch.ON.toString().equals(jobProperties.get(SkippingConf.TOP_K))) {
      // Hive shows the operators of the plan one by one.
      lines.put(
          "hudi-skip topk",
          "where only the first rows by a column are kept, its bounds may skip more files");
    }
    if (Switch.ON.toString().equals(jobProperties.get(SkippingConf.COUNTS))) {
      lines.put(
          "hudi-skip counts",
          "files are not read if the index has all that the query uses of their rows");
    }
    joins.description().ifPresent(text -> lines.put("hudi-skip joins", text));
    return lines;
  }

  @Override
  public boolean canProvideBasicStatistics() {
    return true;
  }

  /**
   * The table's size and rows, so that Hive does not scan its folder, {@code .hoodie} included, for
   * every statement. Hive asks for each scan, and nowhere else tells the handler of a scan's {@code
   * AS OF}.
   *
   * @throws InvalidSettingException when that state cannot be read
   */
  @Override
  public Map<String, String> getBasicStatistics(Partish partish) {
    SeparateScans.finishScan();
    StateCheck.requirePast(getConf(), partish.getTable());
    Map<String, String> statistics = new HashMap<>();
    try {
      TableTotals totals = TableTotals.of(getConf(), partish.getTable().getPath());
      statistics.put(StatsSetupConst.NUM_FILES, Long.toString(totals.files()));
      statistics.put(StatsSetupConst.TOTAL_SIZE, Long.toString(totals.bytes()));
      totals
          .rows()
          .ifPresent(rows -> statistics.put(StatsSetupConst.ROW_COUNT, Long.toString(rows)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot determine the size of {}", partish.getTable().getPath(), e);
    }
    return statistics;
  }

  /**
   * Whether Hive may take the answer to a {@code count(*)} from the table's parameters. If so, the
   * number is in those of this object, and not in the metastore's; Hive 4.0 reads it next. Later
   * releases ask otherwise, and scan.
   */
  @Override
  public boolean canComputeQueryUsingStats(Table table) {
    if (SkippingConf.of(getConf(), table.getParameters()).counts() != Switch.ON) {
      return false;
    }
    try {
      Map<String, String> jobProperties = new HashMap<>();
      configureInputJobProperties(Utilities.getTableDesc(table), jobProperties);
      OptionalLong rows =
          RowCount.of(
              getConf(),
              SeparateScans.text().orElse(""),
              SessionState.get().getCurrentDatabase(),
              jobProperties,
              table);
      if (!rows.isPresent()) {
        return false;
      }
      Map<String, String> parameters = new HashMap<>(table.getParameters());
      parameters.put(StatsSetupConst.ROW_COUNT, Long.toString(rows.getAsLong()));
      parameters.remove(StatsSetupConst.COLUMN_STATS_ACCURATE); // says nothing of any column
      StatsSetupConst.setBasicStatsState(parameters, StatsSetupConst.TRUE);
      table.getTTable().setParameters(parameters);
      return true;
    } catch (Throwable e) { // a scan answers, or reports best why it cannot
      LOG.warn("Cannot count the rows of {} without a scan", table.getFullyQualifiedName(), e);
      return false;
    }
  }

  /** Bytes that the scan reads; above a limit, Hive starts a job for the query. */
  @Override
  public Estimation estimate(JobConf job, TableScanOperator scan, long remaining)
      throws HiveException {
    try {
      return ScanEstimate.estimate(job, scan, remaining);
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

  /** None; Hive calls this when a scan becomes part of a plan. */
  @Override
  public AcidSupportType supportsAcidOperations() {
    scans.joinPlan();
    return AcidSupportType.NONE;
  }

  /**
   * No materialized view can use any, and so Hive caches no results. It calls this when it creates
   * a scan, and again later.
   */
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
    // Hive calls this only for CREATE TABLE … LIKE, and then only the new table's handler.
    table.setStorageHandler(this);
    return super.getNativeProperties(table);
  }

  @Override
  public void setTableParametersForCTLT(
      Table table, CreateTableLikeDesc like, Map<String, String> oldProperties) {
    TableLike.release(this, getConf(), table, like, oldProperties);
  }

  @Override
  public void validateSinkDesc(FileSinkDesc sink) throws SemanticException {
    throw new SemanticException(RefusalMessages.READ_ONLY);
  }
}
