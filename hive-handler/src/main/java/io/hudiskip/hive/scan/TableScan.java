/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.ListingSource;
import io.hudiskip.PartitionSource;
import io.hudiskip.SkippingConf;
import io.hudiskip.SkippingMode;
import io.hudiskip.catalogue.FoundPartitions;
import io.hudiskip.catalogue.hbase.HBaseCatalogue;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.hive.catalogue.Candidates;
import io.hudiskip.hive.catalogue.CatalogueListing;
import io.hudiskip.hive.catalogue.PlannedListing;
import io.hudiskip.hive.catalogue.UnknownChangesException;
import io.hudiskip.hive.commits.CommitTimes;
import io.hudiskip.hive.mode.QueryMode;
import io.hudiskip.hive.mode.ReadState;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.ListingErrors;
import io.hudiskip.hive.table.Merging;
import io.hudiskip.hive.table.PartitionColumns;
import io.hudiskip.hive.table.TableRoot;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.factory.IndexFactory;
import io.hudiskip.plan.PartitionPlan;
import io.hudiskip.term.HiveTermEvaluator;
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
 * One scan of one table: its settings, its table, the state of it that is read and its filter, each
 * read from the job's configuration once. Listing, readers, shadow check and log lines take them
 * from here. Immutable, and made for several threads.
 */
public final class TableScan {
  private static final Logger LOG = LoggerFactory.getLogger(TableScan.class);

  private final JobConf job;
  private final Path root;
  private final SkippingConf settings;
  private final Once<HudiTable, UnreadableTableException> table;
  private final Once<QueryMode, UnreadableTableException> queryMode;
  private final Once<PartitionColumns, UnreadableTableException> columnsOfPaths;
  private final Once<ScanFilter, KeepAllFilesException> filter;
  private final Once<CompiledFilter, KeepAllFilesException> compiled;
  private final Once<StatisticsIndex, KeepAllFilesException> index;
  private final Once<FileVerdicts, KeepAllFilesException> verdicts;
  private final Once<CommitTimes, UnreadableTableException> commitTimes;

  TableScan(JobConf given, Path root) {
    this.job = new JobConf(given); // Hive puts the next table's filter into the one that it gave
    this.root = root;
    this.settings = SkippingConf.of(job);
    this.table = new Once<>(() -> HudiTable.open(job, root.toString()));
    this.queryMode = new Once<>(() -> QueryMode.of(job, table(), ScanOperators.asOf(job, root)));
    this.columnsOfPaths = new Once<>(() -> HudiTable.partitionColumns(job, root.toString()));
    this.filter = new Once<>(() -> ScanFilter.of(job, root));
    this.compiled = new Once<>(() -> CompiledFilter.of(job, filter().typed(), root));
    this.index = new Once<>(this::openIndex);
    this.verdicts = new Once<>(this::evaluate);
    this.commitTimes = new Once<>(() -> new CommitTimes(table().metaClient(), state().commits()));
  }

  /**
   * A new scan, which is about to list its table: it sees what has been committed until now.
   *
   * @param job configuration given to the listing
   * @param root the table's root directory
   */
  public static TableScan listing(JobConf job, Path root) {
    return KnownScans.put(job, new TableScan(job, root));
  }

  /**
   * The scan that a split is read for; the one that listed it, if that was in this JVM.
   *
   * @param job configuration given to the reader
   * @throws UnreadableTableException when the split's file is in no table
   */
  public static TableScan reading(JobConf job, FileSplit split)
      throws IOException, UnreadableTableException {
    Path file = split.getPath();
    Path root =
        split instanceof SliceSplit
            ? ((SliceSplit) split).table()
            : TableRoot.of(file.getFileSystem(job), file);
    return KnownScans.get(job, root).orElseGet(() -> listing(job, root));
  }

  /** Root directory of the table. */
  public Path root() {
    return root;
  }

  /** The {@code hudi.skipping.*} settings of the scan. */
  SkippingConf settings() {
    return settings;
  }

  SkippingMode mode() {
    return settings.mode();
  }

  /** Id of the query; empty if it has none. */
  String queryId() {
    return HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_ID);
  }

  /** The tag that the user gave the query; null if there is none. */
  String queryTag() {
    return HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_TAG);
  }

  /** The configuration, for code of Hive and Hadoop that wants one; not to be changed. */
  JobConf job() {
    return job;
  }

  /**
   * The statistics index of the table.
   *
   * @throws KeepAllFilesException when there is none that can be used
   */
  StatisticsIndex index() throws KeepAllFilesException {
    return index.get();
  }

  /**
   * What the index says of files; no listing is needed.
   *
   * @throws KeepAllFilesException when there is no filter, no expression or no index
   */
  FileVerdicts verdicts() throws KeepAllFilesException {
    return verdicts.get();
  }

  /**
   * What is known of {@code _hoodie_commit_time} without an index.
   *
   * @throws KeepAllFilesException when the table cannot be read
   */
  CommitTimes commitTimes() throws KeepAllFilesException {
    try {
      return commitTimes.get();
    } catch (UnreadableTableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /**
   * Hive's own evaluator, for the terms of the filter.
   *
   * @throws KeepAllFilesException when there is no filter
   */
  TermEvaluator terms() throws KeepAllFilesException {
    return new HiveTermEvaluator(job, filter().typed());
  }

  private StatisticsIndex openIndex() throws KeepAllFilesException {
    try {
      return IndexFactory.open(
          root.getFileSystem(job), root, settings.index(), () -> table().metaClient());
    } catch (IndexUnavailableException | IOException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private FileVerdicts evaluate() throws KeepAllFilesException {
    try {
      return index().evaluate(compiled().expression(), terms());
    } catch (IndexUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /**
   * The table as it was when it was first asked for.
   *
   * @throws UnreadableTableException when there is none that Hive would read rightly
   */
  public HudiTable table() throws UnreadableTableException {
    return table.get();
  }

  /**
   * The state of the table that the query reads.
   *
   * @throws UnreadableTableException when it is one that cannot be read
   */
  QueryMode queryMode() throws UnreadableTableException {
    return queryMode.get();
  }

  /**
   * The file slices that the query reads, before anything is skipped.
   *
   * @throws IOException when the table cannot be read or listed, or is asked for a state that
   *     cannot be read
   */
  List<FileSlice> slices() throws IOException {
    return ListingErrors.raised(root, () -> table().slices(queryMode().listing(table())));
  }

  /**
   * The file slices of which the filter has to choose: those of the partitions that HBase names, if
   * it is asked; or those that the index names; or else all that the query reads.
   *
   * @throws IOException as {@link #slices}
   */
  Candidates candidates() throws IOException {
    if (settings.explain() // which shows what becomes of each file
        || !isListedByIndex()
        || !compiled.isMade()) { // the listing has asked for it, and need not ask again
      return Candidates.listed(slices(), "");
    }
    if (settings.catalogue() != PartitionSource.HBASE) {
      return indexedOrListed();
    }
    try {
      return catalogued();
    } catch (Exception | LinkageError e) { // the client may not be there, or be another one
      LOG.debug("HBase does not say which partitions of {} there are", root, e);
      return indexedOrListed()
          .notFromHBase(
              e instanceof LinkageError
                  ? "HBase's client is not on the class path: " + e
                  : e.getMessage());
    }
  }

  private Candidates catalogued() throws Exception {
    PartitionPlan plan = compiled().plan();
    // Before the table is opened, which then knows all commits that HBase does.
    FoundPartitions found = HBaseCatalogue.find(job, settings, root, plan, terms());
    return PlannedListing.of(latest(), found);
  }

  private Candidates indexedOrListed() throws IOException {
    String reason;
    try {
      FileVerdicts verdicts = verdicts(); // before the table is opened: it must not know more
      return CatalogueListing.of(latest(), liveFiles(), verdicts);
    } catch (KeepAllFilesException e) {
      reason = ""; // which is logged as what it is
    } catch (UnknownChangesException e) {
      reason = e.getMessage();
    } catch (Exception e) { // whatever goes wrong here, a listing says it better
      LOG.debug("The index does not list {}", root, e);
      reason = e.toString();
    }
    return Candidates.listed(slices(), reason);
  }

  /**
   * Bytes of the files that the filter leaves, of the whole table if there is no filter; empty if
   * the index does not say it. They are not fewer than those that the query will read.
   *
   * @param limit above which it is enough to know that there are more
   */
  OptionalLong indexedBytes(long limit) {
    if (!isListedByIndex()) {
      return OptionalLong.empty();
    }
    try {
      FileVerdicts verdicts = verdictsIfAny(); // before the table is opened, as above
      return OptionalLong.of(CatalogueListing.bytes(latest(), liveFiles(), verdicts, limit));
    } catch (Exception e) {
      LOG.debug("What is read of {} is not known before it is listed", root, e);
      return OptionalLong.empty();
    }
  }

  private FileVerdicts verdictsIfAny() throws KeepAllFilesException {
    index();
    try {
      return verdicts();
    } catch (KeepAllFilesException e) {
      LOG.debug("All files of {} are read", root, e);
      return FileVerdicts.ALL;
    }
  }

  private boolean isListedByIndex() {
    return mode() == SkippingMode.ON
        && settings.listing() == ListingSource.INDEX
        && !switchedOff().isPresent();
  }

  private LiveFiles liveFiles()
      throws KeepAllFilesException, UnknownChangesException, IndexUnavailableException {
    return index()
        .liveFiles()
        .orElseThrow(
            () -> new UnknownChangesException("the index does not say which commits it has seen"));
  }

  private HudiTable latest() throws UnknownChangesException, UnreadableTableException {
    if (!queryMode().isLatestSnapshot()) {
      throw new UnknownChangesException("the query is not of the latest state");
    }
    return table();
  }

  /**
   * Whether each row of some slices is a whole record of one of its files.
   *
   * @throws KeepAllFilesException when that is not known
   */
  boolean areRecordsWhole(List<FileSlice> slices) throws KeepAllFilesException {
    if (slices.stream().noneMatch(FileSlice::hasLogFiles)) {
      return true; // readers need not open the table
    }
    try {
      return Merging.keepsRecordsWhole(table().metaClient().getTableConfig());
    } catch (UnreadableTableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /**
   * Which records of the slices are read.
   *
   * @throws UnreadableTableException when the query asks for a state that cannot be read
   */
  ReadState state() throws UnreadableTableException {
    return queryMode().state(table());
  }

  /**
   * The partition columns that are in the paths of the table's files and not in the files.
   *
   * @throws UnreadableTableException when the paths do not say what their values were
   */
  public PartitionColumns columnsOfPaths() throws UnreadableTableException {
    return columnsOfPaths.get();
  }

  /**
   * The filter that the rows of the table will meet.
   *
   * @throws KeepAllFilesException when it is not certain which one that is
   */
  public ScanFilter filter() throws KeepAllFilesException {
    return filter.get();
  }

  /**
   * The expression of the filter.
   *
   * @throws KeepAllFilesException when there is none
   */
  CompiledFilter compiled() throws KeepAllFilesException {
    return compiled.get();
  }

  /** Why no file may be skipped, whatever the filter; empty when skipping is on. */
  Optional<String> switchedOff() {
    if (mode() == SkippingMode.OFF) {
      return Optional.of(SkippingConf.MODE + "=off");
    }
    Optional<String> ofHive = PushdownSwitches.off(job);
    if (!ofHive.isPresent()
        && job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      // Hive then reads the columns of a file by position, and the index knows them by name.
      return Optional.of(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS + "=true");
    }
    return ofHive;
  }
}
