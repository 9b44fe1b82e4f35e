// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.statistics.Supplemented;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.files.FileTable;
import io.hudiskip.index.files.PlacedFiles;
import io.hudiskip.index.files.Placement;
import io.hudiskip.index.manifest.DataFileEntry;
import io.hudiskip.index.manifest.RowGroupEntry;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Evaluates one expression over base files, reading what it needs of each data file. Serves one
 * thread.
 *
 * <p>Runs of files that cannot match are excluded by the manifest. Bounds are read for the
 * remaining files, and contents of index kinds for those that bounds keep.
 */
final class IndexQuery<F extends PlacedFiles> implements Closeable {
  private final HudiExpression expression;

  /** By name of each index kind: the columns for which its records can decide. */
  private final Map<String, Set<String>> contentColumns = new LinkedHashMap<>();

  private final StatisticsTable beside;
  private final TermEvaluator terms;
  private final RecordedTimestamps timestamps;
  private final F files;
  private final int count;

  /** Data files that may have rows of the expression's columns, in manifest order. */
  private final List<OpenDataFile> dataFiles = new ArrayList<>();

  /** Placements of the files in {@link #dataFiles}; equal tables share one. */
  private final List<Placement> placements;

  /**
   * Finds the data files and places the base files in them.
   *
   * @param beside statistics from outside the index, by position
   * @param placing makes the base files from the data files' tables, where equal ones are one
   *     object
   */
  IndexQuery(
      ParquetIndex index,
      HudiExpression expression,
      StatisticsTable beside,
      TermEvaluator terms,
      Function<List<FileTable>, F> placing)
      throws IndexUnavailableException {
    this.expression = expression;
    this.beside = beside;
    for (IndexKind kind : IndexKinds.all()) {
      contentColumns.put(kind.name(), expression.columnsUsing(kind));
    }
    this.terms = terms;
    this.timestamps = index.timestamps;
    try {
      List<FileTable> tables = new ArrayList<>();
      for (DataFileEntry entry : index.manifest.dataFiles()) {
        if (entry.mayHoldAny(RowGroupEntry.RANGE, expression.columns()) || mayHoldContents(entry)) {
          OpenDataFile dataFile =
              new OpenDataFile(index.directory, index.cache, entry, expression.columns());
          dataFiles.add(dataFile);
          tables.add(shared(dataFile.files(), tables));
        }
      }
      files = placing.apply(tables);
      count = files.count();
      IdentityHashMap<FileTable, Placement> placed = new IdentityHashMap<>();
      tables.forEach(table -> placed.computeIfAbsent(table, files::placement));
      placements = tables.stream().map(placed::get).collect(Collectors.toList());
    } catch (IndexUnavailableException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static FileTable shared(FileTable table, List<FileTable> known) {
    return known.stream().filter(table::sameAs).findFirst().orElse(table);
  }

  F files() {
    return files;
  }

  BitSet candidates() throws IndexUnavailableException {
    BitSet open = new BitSet(count);
    open.set(0, count);
    open.andNot(excludedByRuns());
    BitSet kept = evaluate(open, false);
    return usesContents() ? evaluate(kept, true) : kept;
  }

  /** What each node of the expression keeps, in pre-order. */
  List<ExplainedNode> explain() throws IndexUnavailableException {
    BitSet all = new BitSet(count);
    all.set(0, count);
    return expression.explain(statistics(all, all.stream().toArray(), true), terms);
  }

  /** Those of the given positions that the expression keeps. */
  private BitSet evaluate(BitSet positions, boolean withContents) throws IndexUnavailableException {
    int[] places = positions.stream().toArray();
    BitSet kept = new BitSet(count);
    expression.evaluate(statistics(positions, places, withContents), terms).stream()
        .forEach(file -> kept.set(places[file]));
    return kept;
  }

  private boolean usesContents() {
    return dataFiles.stream().map(OpenDataFile::entry).anyMatch(this::mayHoldContents);
  }

  private boolean mayHoldContents(DataFileEntry entry) {
    return contentColumns.entrySet().stream()
        .anyMatch(asked -> entry.mayHoldAny(asked.getKey(), asked.getValue()));
  }

  /**
   * The index's statistics in present units and, where it has none, those beside it.
   *
   * @param places {@code positions} in ascending order
   */
  private StatisticsTable statistics(BitSet positions, int[] places, boolean withContents)
      throws IndexUnavailableException {
    Map<String, List<IndexColumn>> columns = new HashMap<>();
    addColumns(RowGroupEntry.RANGE, expression.columns(), positions, columns);
    if (withContents) {
      for (Map.Entry<String, Set<String>> asked : contentColumns.entrySet()) {
        addColumns(asked.getKey(), asked.getValue(), positions, columns);
      }
    }
    StatisticsTable recorded =
        StatisticsTable.of(
            places.length,
            name ->
                Optional.ofNullable(columns.get(name))
                    .map(kinds -> file -> ofPosition(places[file], kinds)));
    return new Supplemented(timestamps.readable(recorded), beside, file -> places[file]);
  }

  /** The statistics of one file, combined from its rows of each kind; null if it has no rows. */
  @Nullable
  private static ColumnStatistics ofPosition(int position, List<IndexColumn> kinds) {
    ColumnStatistics known = null;
    for (IndexColumn rows : kinds) {
      known = rows.addTo(known, position);
    }
    return known;
  }

  private void addColumns(
      String kind,
      Collection<String> names,
      BitSet positions,
      Map<String, List<IndexColumn>> columns)
      throws IndexUnavailableException {
    for (String name : names) {
      IndexColumn column = new IndexColumn();
      for (int i = 0; i < dataFiles.size(); i++) {
        if (dataFiles.get(i).entry().mayHold(kind, name)) {
          BitSet ordinals = placements.get(i).ordinals(positions);
          column.add(placements.get(i), dataFiles.get(i).column(kind, name, ordinals));
        }
      }
      if (!column.isEmpty()) {
        columns.computeIfAbsent(name, first -> new ArrayList<>()).add(column);
      }
    }
  }

  /** Positions of the files in runs that the manifest's statistics exclude. */
  private BitSet excludedByRuns() {
    BitSet excluded = new BitSet(count);
    Set<Placement> distinct = new LinkedHashSet<>(placements);
    for (Placement placement : distinct) {
      BitSet ordinals = runs(placement).excluded(expression);
      if (ordinals.isEmpty()) {
        continue;
      }
      List<Placement> others = new ArrayList<>(distinct);
      others.remove(placement);
      for (int i = 0; i < count; i++) {
        // A run's statistics hold for a file only if the run has its effective rows: sizes agree,
        // and no other data file can have a row for it.
        if (placement.isPresent(i)
            && ordinals.get(placement.ordinal(i))
            && placement.isSameSize(i)
            && areAbsent(others, i)) {
          excluded.set(i);
        }
      }
    }
    return excluded;
  }

  private static boolean areAbsent(List<Placement> placements, int position) {
    for (Placement placement : placements) {
      if (placement.isPresent(position)) {
        return false;
      }
    }
    return true;
  }

  private FileRuns runs(Placement placement) {
    Map<String, List<RowGroupEntry>> blocks = new HashMap<>();
    for (int i = 0; i < dataFiles.size(); i++) {
      if (placements.get(i) == placement) {
        for (String column : expression.columns()) {
          List<RowGroupEntry> groups =
              dataFiles.get(i).entry().rowGroups(RowGroupEntry.RANGE, column);
          if (!groups.isEmpty() && !beside.replaces(column)) {
            // Among data files for the same base files, the last one's rows win, and a block has a
            // row for each of its files.
            blocks.put(column, groups);
          }
        }
      }
    }
    return new FileRuns(blocks, timestamps);
  }

  @Override
  public void close() {
    dataFiles.forEach(OpenDataFile::close);
  }
}
