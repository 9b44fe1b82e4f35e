// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.listing.ListedPartitions;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;

/** What a source in {@link FileSources} needs to know of a scan. Each part is read on first use. */
public interface FileRequest {
  JobConf job();

  Path root();

  SkippingConf settings();

  /** The table, as of the first call. */
  HudiTable table() throws UnreadableTableException;

  /** Whether the query reads the latest snapshot, rather than a past state or a range. */
  boolean isLatestSnapshot() throws UnreadableTableException;

  /** The table's statistics index; fails if there is no usable one. */
  StatisticsIndex index() throws KeepAllFilesException;

  /** The index's verdict on each file for the scan's filter; no file is listed for it. */
  FileVerdicts verdicts() throws KeepAllFilesException;

  /** The partitions that may contain matching rows, as ranges of keys. */
  PartitionPlan plan() throws KeepAllFilesException, PlanFormatException;

  /** Hive's own evaluator for the filter's terms. */
  TermEvaluator terms() throws KeepAllFilesException;

  /** The partitions that are listed; those that it leaves out have no matching row. */
  ListedPartitions partitions();

  /** The slices that the query reads in {@link #partitions}, from Hudi's view of the table. */
  List<FileSlice> slices() throws IOException;
}
