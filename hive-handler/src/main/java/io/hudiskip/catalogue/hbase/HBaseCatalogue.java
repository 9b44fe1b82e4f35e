/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import io.hudiskip.SkippingConf;
import io.hudiskip.catalogue.CatalogueGeneration;
import io.hudiskip.catalogue.CatalogueUnavailableException;
import io.hudiskip.catalogue.FoundPartitions;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.plan.PartitionFilter;
import io.hudiskip.plan.PartitionPlan;
import io.hudiskip.plan.PlanFormatException;
import io.hudiskip.plan.ScanRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/** One look into the catalogue in HBase, within one deadline. Serves one thread. */
public final class HBaseCatalogue {
  /** For more, a listing of the table takes no longer. */
  private static final int MOST_PARTITIONS = 100_000;

  /** Rows of one answer of a region server. */
  private static final int ROWS_AT_ONCE = 10_000;

  private static final int ATTEMPTS = 2;

  private final SkippingConf settings;
  private final RowKeys keys;
  private final PartitionPlan plan;
  private final long deadline;
  private final AsyncTable<AdvancedScanResultConsumer> table;

  private HBaseCatalogue(Configuration conf, SkippingConf settings, Path root, PartitionPlan plan)
      throws CatalogueUnavailableException, IOException {
    this.settings = settings;
    this.keys = RowKeys.of(RowKeys.root(root.getFileSystem(conf).makeQualified(root)));
    this.plan = plan;
    this.deadline =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.hbaseTimeoutMillis());
    int millis = settings.hbaseTimeoutMillis();
    this.table =
        await(Connections.to(conf, settings.hbaseQuorum()))
            .getTableBuilder(TableName.valueOf(settings.hbaseTable()))
            .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
            .setScanTimeout(millis, TimeUnit.MILLISECONDS)
            .setRpcTimeout(millis, TimeUnit.MILLISECONDS)
            .setReadRpcTimeout(millis, TimeUnit.MILLISECONDS)
            .setMaxAttempts(ATTEMPTS)
            .build();
  }

  /**
   * The partitions of a table that a plan leaves, by the last publication.
   *
   * @param settings where HBase is and how long it may take
   * @param root the table's root directory
   * @param terms evaluates the terms of the filter that the plan was made of
   * @throws CatalogueUnavailableException when HBase does not say it in time
   */
  public static FoundPartitions find(
      Configuration conf, SkippingConf settings, Path root, PartitionPlan plan, TermEvaluator terms)
      throws CatalogueUnavailableException {
    if (settings.hbaseQuorum().isEmpty()) {
      throw new CatalogueUnavailableException(SkippingConf.HBASE_QUORUM + " is not set");
    }
    if (plan.isWholeTable()) {
      throw new CatalogueUnavailableException("the plan leaves all partitions");
    }
    Outages.requireNone(settings.hbaseQuorum());
    try {
      return new HBaseCatalogue(conf, settings, root, plan).find(terms);
    } catch (IOException | PlanFormatException | RuntimeException e) {
      throw new CatalogueUnavailableException(e.toString(), e);
    }
  }

  private FoundPartitions find(TermEvaluator terms)
      throws CatalogueUnavailableException, PlanFormatException {
    Pointer pointer = pointer();
    CatalogueGeneration generation = CatalogueGeneration.parse(pointer.document());
    if (!generation.layout().equals(plan.layout())) {
      throw new CatalogueUnavailableException(
          "its keys are of " + generation.layout() + ", and the query's of " + plan.layout());
    }
    Set<String> paths = new LinkedHashSet<>();
    List<Part> parts = parts(pointer.current(), generation);
    List<CompletableFuture<List<Result>>> answers =
        parts.stream().map(part -> table.scanAll(part.scan)).collect(Collectors.toList());
    for (int i = 0; i < parts.size(); i++) {
      addPaths(parts.get(i), await(answers.get(i)), pointer.current(), terms, paths);
    }
    // Rows go only after the pointer has passed over them twice: none was gone before this.
    if (!pointer().keeps(pointer.current())) {
      throw new CatalogueUnavailableException("it was published anew twice in the meantime");
    }
    return new FoundPartitions(generation, paths);
  }

  private Pointer pointer() throws CatalogueUnavailableException {
    return Pointer.of(await(table.get(Pointer.get(keys))))
        .orElseThrow(() -> new CatalogueUnavailableException("the table is not published there"));
  }

  /**
   * Ranges of which the same is asked are one scan; what has no key is in the one without filter.
   */
  private List<Part> parts(long publication, CatalogueGeneration generation) {
    Map<Optional<PartitionFilter>, List<RowRange>> ranges = new LinkedHashMap<>();
    if (generation.unkeyed() > 0) {
      ranges
          .computeIfAbsent(Optional.empty(), first -> new ArrayList<>())
          .add(keys.unkeyed(publication));
    }
    for (ScanRange range : plan.scans()) {
      RowRange rows = keys.range(publication, range);
      // One may end before the first row that a table can have; HBase refuses empty ones.
      if (Bytes.compareTo(rows.getStartRow(), rows.getStopRow()) < 0) {
        ranges.computeIfAbsent(range.filter(), first -> new ArrayList<>()).add(rows);
      }
    }
    return ranges.entrySet().stream()
        .map(entry -> new Part(scan(entry.getValue(), entry.getKey()), entry.getKey()))
        .collect(Collectors.toList());
  }

  private Scan scan(List<RowRange> ranges, Optional<PartitionFilter> wanted) {
    Scan scan =
        new Scan()
            .withStartRow(ranges.get(0).getStartRow())
            .withStopRow(ranges.get(ranges.size() - 1).getStopRow())
            .addFamily(RowKeys.PARTITIONS)
            .setCaching(ROWS_AT_ONCE)
            .setLimit(MOST_PARTITIONS + 1);
    List<Filter> filters = new ArrayList<>();
    if (ranges.size() > 1) {
      filters.add(new MultiRowRangeFilter(ranges));
    }
    wanted
        .flatMap(filter -> ServerFilter.of(filter, plan.layout()))
        .ifPresent(
            filter -> {
              filters.add(filter);
              scan.addFamily(RowKeys.VALUES);
            });
    return filters.isEmpty()
        ? scan
        : scan.setFilter(new FilterList(FilterList.Operator.MUST_PASS_ALL, filters));
  }

  private void addPaths(
      Part part, List<Result> rows, long publication, TermEvaluator terms, Set<String> paths)
      throws CatalogueUnavailableException, PlanFormatException {
    BitSet wanted = new BitSet();
    wanted.set(0, rows.size());
    if (part.filter.isPresent()) {
      List<byte[]> ofRows = new ArrayList<>();
      rows.forEach(row -> ofRows.add(keys.key(publication, row.getRow())));
      wanted = part.filter.get().meets(ofRows, terms);
    }
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      for (Cell cell : rows.get(i).rawCells()) {
        if (CellUtil.matchingFamily(cell, RowKeys.PARTITIONS)) {
          paths.add(Bytes.toString(CellUtil.cloneQualifier(cell)));
        }
      }
    }
    if (rows.size() > MOST_PARTITIONS || paths.size() > MOST_PARTITIONS) {
      throw new CatalogueUnavailableException(
          "the plan leaves more than " + MOST_PARTITIONS + " partitions");
    }
  }

  private <T> T await(CompletableFuture<T> answer) throws CatalogueUnavailableException {
    try {
      return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw outage(
          String.format(
              "no answer within %d ms (%s)",
              settings.hbaseTimeoutMillis(), SkippingConf.HBASE_TIMEOUT_MS),
          e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String first = String.valueOf(cause.getMessage()).split("\n", 2)[0];
      String message = cause.getClass().getSimpleName() + ": " + first;
      if (cause instanceof DoNotRetryIOException) {
        // An answer, such as that there is no such table.
        throw new CatalogueUnavailableException(message, e);
      }
      throw outage(message, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CatalogueUnavailableException("interrupted", e);
    }
  }

  private CatalogueUnavailableException outage(String message, Exception cause) {
    Outages.begin(settings.hbaseQuorum(), message);
    return new CatalogueUnavailableException(message, cause);
  }

  /** One scan, and what is asked of its rows. */
  private static final class Part {
    private final Scan scan;
    private final Optional<PartitionFilter> filter;

    Part(Scan scan, Optional<PartitionFilter> filter) {
      this.scan = scan;
      this.filter = filter;
    }
  }
}
