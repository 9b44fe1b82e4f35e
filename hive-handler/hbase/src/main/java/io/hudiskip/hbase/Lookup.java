// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionFilter;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.compile.plan.ScanRange;
import io.hudiskip.table.catalogue.CatalogueGeneration;
import io.hudiskip.table.catalogue.CatalogueUnavailableException;
import io.hudiskip.table.catalogue.FoundPartitions;
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

/** One lookup in HBase, within one deadline. Serves one thread. */
final class Lookup {
  /** Above this, listing the table takes no longer. */
  private static final int MAX_PARTITIONS = 100_000;

  /** Rows per response of a region server. */
  private static final int ROWS_PER_RESPONSE = 10_000;

  private static final int ATTEMPTS = 2;

  private final HBaseSettings settings;
  private final RowKeys keys;
  private final PartitionPlan plan;
  private final long deadline;
  private final AsyncTable<AdvancedScanResultConsumer> table;

  Lookup(Configuration conf, HBaseSettings settings, Path root, PartitionPlan plan)
      throws CatalogueUnavailableException, IOException {
    this.settings = settings;
    this.keys = RowKeys.of(RowKeys.root(root.getFileSystem(conf).makeQualified(root)));
    this.plan = plan;
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis);
    int millis = settings.timeoutMillis;
    this.table =
        await(Connections.to(settings.quorum))
            .getTableBuilder(TableName.valueOf(settings.table))
            .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
            .setScanTimeout(millis, TimeUnit.MILLISECONDS)
            .setRpcTimeout(millis, TimeUnit.MILLISECONDS)
            .setReadRpcTimeout(millis, TimeUnit.MILLISECONDS)
            .setMaxAttempts(ATTEMPTS)
            .build();
  }

  FoundPartitions find(TermEvaluator terms)
      throws CatalogueUnavailableException, PlanFormatException {
    Pointer pointer = pointer();
    CatalogueGeneration generation = CatalogueGeneration.parse(pointer.document());
    String published = generation.layout().toString();
    String expected = plan.layout().toString();
    if (!published.equals(expected)) {
      throw new CatalogueUnavailableException(
          "its keys have the layout "
              + published
              + ", but the query expects the layout "
              + expected);
    }
    // All scans run at once.
    Map<Optional<PartitionFilter>, CompletableFuture<List<Result>>> answers = new LinkedHashMap<>();
    ranges(pointer.current(), generation)
        .forEach((filter, rows) -> answers.put(filter, table.scanAll(scan(rows, filter))));
    Set<String> paths = new LinkedHashSet<>();
    for (Map.Entry<Optional<PartitionFilter>, CompletableFuture<List<Result>>> answer :
        answers.entrySet()) {
      addPaths(answer.getKey(), await(answer.getValue()), pointer.current(), terms, paths);
    }
    // Rows are deleted only after the pointer has moved past them twice, so none was gone before
    // this.
    if (!pointer().keeps(pointer.current())) {
      throw new CatalogueUnavailableException(
          "the partitions were republished twice in the meantime");
    }
    return new FoundPartitions(generation, paths);
  }

  private Pointer pointer() throws CatalogueUnavailableException {
    return Pointer.of(await(table.get(Pointer.get(keys))))
        .orElseThrow(
            () -> new CatalogueUnavailableException("the table is not published in HBase"));
  }

  /**
   * Ranges of rows by filter, since those with the same filter share a scan. Partitions without a
   * key join the ranges without a filter.
   */
  private Map<Optional<PartitionFilter>, List<RowRange>> ranges(
      long publication, CatalogueGeneration generation) {
    Map<Optional<PartitionFilter>, List<RowRange>> ranges = new LinkedHashMap<>();
    if (generation.unkeyed() > 0) {
      ranges
          .computeIfAbsent(Optional.empty(), first -> new ArrayList<>())
          .add(keys.unkeyed(publication));
    }
    for (ScanRange range : plan.scans()) {
      RowRange rows = keys.range(publication, range);
      // A range may end before the table's first possible row; HBase rejects empty ranges.
      if (Bytes.compareTo(rows.getStartRow(), rows.getStopRow()) < 0) {
        ranges.computeIfAbsent(range.filter(), first -> new ArrayList<>()).add(rows);
      }
    }
    return ranges;
  }

  private Scan scan(List<RowRange> ranges, Optional<PartitionFilter> wanted) {
    Scan scan =
        new Scan()
            .withStartRow(ranges.get(0).getStartRow())
            .withStopRow(ranges.get(ranges.size() - 1).getStopRow())
            .addFamily(RowKeys.PARTITIONS)
            .setCaching(ROWS_PER_RESPONSE)
            .setLimit(MAX_PARTITIONS + 1);
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
      Optional<PartitionFilter> filter,
      List<Result> rows,
      long publication,
      TermEvaluator terms,
      Set<String> paths)
      throws CatalogueUnavailableException, PlanFormatException {
    BitSet wanted = new BitSet();
    wanted.set(0, rows.size());
    if (filter.isPresent()) {
      List<byte[]> rowKeys = new ArrayList<>();
      rows.forEach(row -> rowKeys.add(keys.key(publication, row.getRow())));
      wanted = filter.get().matches(rowKeys, terms);
    }
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      for (Cell cell : rows.get(i).rawCells()) {
        if (CellUtil.matchingFamily(cell, RowKeys.PARTITIONS)) {
          paths.add(Bytes.toString(CellUtil.cloneQualifier(cell)));
        }
      }
    }
    if (rows.size() > MAX_PARTITIONS || paths.size() > MAX_PARTITIONS) {
      throw new CatalogueUnavailableException(
          "the plan selects more than " + MAX_PARTITIONS + " partitions");
    }
  }

  private <T> T await(CompletableFuture<T> answer) throws CatalogueUnavailableException {
    try {
      return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw outage(
          String.format(
              "no answer within %d ms (%s)", settings.timeoutMillis, HBaseSettings.TIMEOUT_MS),
          e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String first = String.valueOf(cause.getMessage()).split("\n", 2)[0];
      String message = cause.getClass().getSimpleName() + ": " + first;
      if (cause instanceof DoNotRetryIOException) {
        // An answer, for example that there is no such table.
        throw new CatalogueUnavailableException(message, e);
      }
      throw outage(message, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CatalogueUnavailableException("interrupted", e);
    }
  }

  private CatalogueUnavailableException outage(String message, Exception cause) {
    Outages.record(settings.quorum, message);
    return new CatalogueUnavailableException(message, cause);
  }
}
