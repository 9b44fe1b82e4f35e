// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.compile.term.HiveTermEvaluator;
import io.hudiskip.hive.settings.ListingSource;
import io.hudiskip.hive.settings.PushdownSwitches;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.NoIndex;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.IndexFactory;
import io.hudiskip.scan.evolution.TimestampUnits;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.Lazy;
import io.hudiskip.table.PartitionColumns;
import io.hudiskip.table.PartitionValues;
import io.hudiskip.table.TableErrors;
import io.hudiskip.table.TableRoot;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.commits.CommitTimes;
import io.hudiskip.table.listing.ListedPartitions;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.FileRequest;
import io.hudiskip.table.source.FileSources;
import io.hudiskip.table.source.IndexLag;
import io.hudiskip.table.source.KeepAllFilesException;
import io.hudiskip.table.source.MatchingPartitions;
import io.hudiskip.table.source.PartitionedIndex;
import io.hudiskip.table.state.QueriedState;
import io.hudiskip.table.state.ReadCommits;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One scan of one table: settings, table, state and filter, each read once from the job's
 * configuration and shared by listing, readers, shadow check and log. Immutable and thread-safe.
 */
public final class TableScan implements FileRequest {
  private static final Logger LOG = LoggerFactory.getLogger(TableScan.class);

  private final JobConf job;
  private final Path root;
  private final SkippingConf settings;
  private final Lazy<HudiTable, UnreadableTableException> table;
  private final Lazy<QueriedState, UnreadableTableException> queriedState;
  private final Lazy<PartitionColumns, UnreadableTableException> columnsOfPaths;
  private final Lazy<ScanFilter, KeepAllFilesException> filter;
  private final Lazy<Optional<String>, KeepAllFilesException> joinedFilter;
  private final Lazy<CompiledFilter, KeepAllFilesException> compiled;
  private final Lazy<PartitionValues, UnreadableTableException> partitionValues;
  private final Lazy<Lazy.Source<StatisticsIndex, KeepAllFilesException>, RuntimeException> index;
  private final Lazy<TimestampUnits, UnreadableTableException> timestamps;
  private final Lazy<FileVerdicts, KeepAllFilesException> verdicts;
  private final Lazy<CommitTimes, UnreadableTableException> commitTimes;
  private final Lazy<Optional<MatchingPartitions>, Exception> matchingPartitions;

  TableScan(JobConf given, Path root) {
    this.job = new JobConf(given); // Hive reuses its object for the next table's filter
    this.root = root;
    this.settings = SkippingConf.of(job);
    this.table = new Lazy<>(() -> HudiTable.open(job, root.toString()));
    this.queriedState =
        new Lazy<>(() -> QueriedState.of(job, table(), ScanOperators.asOf(job, root)));
    this.columnsOfPaths = new Lazy<>(() -> HudiTable.partitionColumns(job, root.toString()));
    this.filter = new Lazy<>(() -> ScanFilter.of(job, root));
    this.joinedFilter = new Lazy<>(() -> filter().serializedWithValues());
    this.compiled = new Lazy<>(() -> CompiledFilter.of(job, filter(), root));
    this.partitionValues = new Lazy<>(() -> table().partitionValues());
    this.index = new Lazy<>(this::openIndex);
    this.timestamps = new Lazy<>(() -> TimestampUnits.of(table().avroSchema(), job));
    this.verdicts = new Lazy<>(this::evaluate);
    this.matchingPartitions = new Lazy<>(this::choosePartitions);
    this.commitTimes = new Lazy<>(() -> new CommitTimes(table().lastCommits(), state().commits()));
  }

  /** A new scan, of the table at {@code root} as committed so far. */
  public static TableScan start(JobConf job, Path root) {
    return KnownScans.put(job, new TableScan(job, root));
  }

  /**
   * The scan to which a split belongs, if it began in this JVM, or else a new one.
   *
   * @throws UnreadableTableException when the split's file is not in a table
   */
  public static TableScan reading(JobConf job, FileSplit split)
      throws IOException, UnreadableTableException {
    Path file = split.getPath();
    Path root =
        split instanceof SliceSplit
            ? ((SliceSplit) split).table()
            : TableRoot.of(file.getFileSystem(job), file);
    return KnownScans.get(job, root).orElseGet(() -> start(job, root));
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public SkippingConf settings() {
    return settings;
  }

  public SkippingMode mode() {
    return settings.mode();
  }

  /** Empty if the query has no id. */
  String queryId() {
    return HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_ID);
  }

  /** The user's tag of the query; null if there is none. */
  String queryTag() {
    return HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_TAG);
  }

  /** For code of Hive and Hadoop; not to be changed. */
  @Override
  public JobConf job() {
    return job;
  }

  @Override
  public StatisticsIndex index() throws KeepAllFilesException {
    return index.get().get();
  }

  /** The index, or one that knows nothing. */
  public StatisticsIndex indexIfAny() {
    try {
      return index();
    } catch (KeepAllFilesException e) {
      LOG.debug("Cannot use the index of {}", root, e);
      try {
        return new PartitionedIndex(new NoIndex(e.getMessage()), partitionValues());
      } catch (UnreadableTableException failure) {
        return new NoIndex(failure.getMessage());
      }
    }
  }

  /** Why there is no {@link #index}; empty if there is one. */
  Optional<String> withoutIndex() {
    try {
      index();
      return Optional.empty();
    } catch (KeepAllFilesException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public FileVerdicts verdicts() throws KeepAllFilesException {
    return verdicts.get();
  }

  /**
   * How far the index that this scan used is behind the table. Never throws, as answers do not
   * depend on it.
   *
   * @param candidates the slices to which the filter was applied
   * @return empty if the scan used no index, or one that cannot be behind
   */
  Optional<IndexLag> lag(List<FileSlice> candidates) {
    try {
      if (!index.isComputed() || withoutIndex().isPresent() || !isLatestSnapshot()) {
        return Optional.empty();
      }
      IndexedSlices slices = IndexedSlices.of(candidates, true);
      return IndexLag.of(index(), table(), slices.files(), slices.slicesOfFiles());
    } catch (Exception | LinkageError e) {
      LOG.debug("Cannot determine how far the index of {} is behind", root, e);
      return Optional.empty();
    }
  }

  /** Bounds of {@code _hoodie_commit_time}, which need no index. */
  CommitTimes commitTimes() throws KeepAllFilesException {
    try {
      return commitTimes.get();
    } catch (UnreadableTableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  @Override
  public TermEvaluator terms() throws KeepAllFilesException {
    return new HiveTermEvaluator(job, filter().typed());
  }

  /** A failure is remembered, too: an index that is found later might be newer than the table. */
  private Lazy.Source<StatisticsIndex, KeepAllFilesException> openIndex() {
    try {
      StatisticsIndex opened = // first: the index must not be newer than the table
          IndexFactory.open(
              root.getFileSystem(job),
              root,
              settings.index(),
              () -> table().metaClient(),
              this::recordedAs);
      StatisticsIndex found = new PartitionedIndex(opened, partitionValues());
      return () -> found;
    } catch (IndexUnavailableException | UnreadableTableException | IOException e) {
      KeepAllFilesException failure = new KeepAllFilesException(e.getMessage(), e);
      return () -> {
        throw failure;
      };
    }
  }

  /** The units of the table's timestamps. */
  TimestampUnits timestamps() throws UnreadableTableException {
    return timestamps.get();
  }

  private Optional<HiveType> recordedAs(String column) {
    try {
      return Optional.of(timestamps().recordedType(column));
    } catch (UnreadableTableException e) {
      LOG.debug("No statistics of timestamps in {}", root, e);
      return Optional.empty();
    }
  }

  private FileVerdicts evaluate() throws KeepAllFilesException {
    try {
      return index().evaluate(compiled().expression(), terms());
    } catch (IndexUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  @Override
  public HudiTable table() throws UnreadableTableException {
    return table.get();
  }

  /** The values of partition columns that readers take from paths. */
  PartitionValues partitionValues() throws UnreadableTableException {
    return partitionValues.get();
  }

  QueriedState queriedState() throws UnreadableTableException {
    return queriedState.get();
  }

  @Override
  public boolean isLatestSnapshot() throws UnreadableTableException {
    return queriedState().isLatestSnapshot();
  }

  @Override
  public PartitionPlan plan() throws KeepAllFilesException, PlanFormatException {
    return compiled().plan();
  }

  @Override
  public List<FileSlice> slices() throws IOException {
    return slices(partitions());
  }

  /** All slices that the query reads, whatever its filter. */
  List<FileSlice> allSlices() throws IOException {
    return slices(ListedPartitions.ALL);
  }

  private List<FileSlice> slices(ListedPartitions listed) throws IOException {
    return TableErrors.raise(root, () -> queriedState().slices(table(), listed));
  }

  /** All where files that are not read are shown or checked, or if the filter is not compiled. */
  @Override
  public ListedPartitions partitions() {
    return mode() == SkippingMode.ON && !settings.explain() && compiled.isComputed()
        ? matchingPartitions().<ListedPartitions>map(found -> found).orElse(ListedPartitions.ALL)
        : ListedPartitions.ALL;
  }

  /** The partitions that the filter can match; empty if paths say nothing about it. */
  Optional<MatchingPartitions> matchingPartitions() {
    try {
      return matchingPartitions.get();
    } catch (Exception | LinkageError e) { // all partitions are listed
      LOG.debug("The filter does not choose partitions of {}", root, e);
      return Optional.empty();
    }
  }

  private Optional<MatchingPartitions> choosePartitions()
      throws KeepAllFilesException, UnreadableTableException {
    if (switchedOff().isPresent()) {
      return Optional.empty();
    }
    HudiExpression expression = compiled().expression();
    PartitionValues values = partitionValues();
    return values.areOfAny(expression.columns())
        ? Optional.of(new MatchingPartitions(values, expression, terms()))
        : Optional.empty();
  }

  /**
   * The file slices to which the filter is applied, from the first {@link FileSources source} that
   * has an answer.
   */
  Candidates candidates() throws IOException {
    return !settings.explain() // an explanation covers every file
            && mayUseSources()
            && compiled.isComputed() // by FileSelector.needsNoFile
        ? FileSources.select(this)
        : FileSources.all(this);
  }

  /** See {@link FileSources#indexedBytes}. */
  OptionalLong indexedBytes(long limit) {
    return mayUseSources() ? FileSources.indexedBytes(this, limit) : OptionalLong.empty();
  }

  /** See {@link FileSources#indexed}. */
  Optional<List<FileSlice>> indexedSlices() {
    return mayUseSources() ? FileSources.indexed(this).map(Candidates::slices) : Optional.empty();
  }

  private boolean mayUseSources() {
    return mode() == SkippingMode.ON
        && settings.listing() == ListingSource.INDEX
        && !switchedOff().isPresent();
  }

  /** Which records of the slices are read. */
  ReadCommits state() throws UnreadableTableException {
    return queriedState().state(table());
  }

  /**
   * The partition columns that are in the files' paths and not in the files.
   *
   * @throws UnreadableTableException when paths do not determine the values
   */
  public PartitionColumns columnsOfPaths() throws UnreadableTableException {
    return columnsOfPaths.get();
  }

  /**
   * The filter that applies to the table's rows.
   *
   * @throws KeepAllFilesException when that is uncertain
   */
  public ScanFilter filter() throws KeepAllFilesException {
    return filter.get();
  }

  /** What joins were to send and what arrived, for the log; empty if there is nothing to say. */
  String joins() {
    try {
      if (!filter.isComputed()) {
        return "";
      }
      boolean isUnchecked =
          mode() == SkippingMode.SHADOW
              && !filter().joins().isEmpty()
              && !joinedFilter().isPresent();
      return filter().joins().text() + (isUnchecked ? " (too many to be checked)" : "");
    } catch (KeepAllFilesException e) {
      LOG.debug("No values of joins for {}", root, e);
      return "";
    }
  }

  /**
   * The filter of the rows that joins need, serialized by Hive.
   *
   * @return empty if no values have arrived, or so many that they do not fit into each split, or if
   *     the filter is uncertain
   */
  Optional<String> joinedFilter() {
    try {
      return joinedFilter.get();
    } catch (KeepAllFilesException e) {
      LOG.debug("No values of joins for {}", root, e);
      return Optional.empty();
    }
  }

  CompiledFilter compiled() throws KeepAllFilesException {
    return compiled.get();
  }

  /**
   * The expression for parts of files, which may be left out if it is TRUE for none of their rows.
   *
   * @throws KeepAllFilesException when all rows must be read: in shadow mode, which checks whole
   *     files; where the filter was not compiled with the statement; or where a sample takes the
   *     first rows of each split
   */
  public HudiExpression expressionOfParts() throws KeepAllFilesException {
    if (mode() != SkippingMode.ON || switchedOff().isPresent()) {
      throw new KeepAllFilesException("skipping is off");
    }
    if (ScanOperators.only(job, root).getConf().getRowLimit() >= 0) {
      throw new KeepAllFilesException("a sample takes the first rows of each split");
    }
    if (!PushedExpression.of(job, filter().typed()).isPresent()) {
      throw new KeepAllFilesException("the filter was not compiled with the statement");
    }
    return compiled().expression();
  }

  /** Why no file may be skipped, whatever the filter; empty when skipping is on. */
  public Optional<String> switchedOff() {
    if (mode() == SkippingMode.OFF) {
      return Optional.of(SkippingConf.MODE + "=off");
    }
    Optional<String> hiveSwitch = PushdownSwitches.off(job);
    if (!hiveSwitch.isPresent()
        && job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      // Hive then reads columns by position, but the index has names.
      return Optional.of(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS + "=true");
    }
    return hiveSwitch;
  }
}
