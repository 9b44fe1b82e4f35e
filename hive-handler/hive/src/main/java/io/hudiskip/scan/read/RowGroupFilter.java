// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.compile.filter.RowGroupFilterGate;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.source.KeepAllFilesException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.schema.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether Hive's Parquet readers may skip row groups by the filter in a job configuration. Stock
 * Hive always does, and loses rows: its SearchArgument narrows literals when the cost-based
 * optimizer is bypassed, and on MapReduce the filter may belong to another scan of the same path.
 */
public final class RowGroupFilter {
  private static final Logger LOG = LoggerFactory.getLogger(RowGroupFilter.class);

  private RowGroupFilter() {}

  /** A copy of a reader's configuration whose filter {@link #isSound} rejects. */
  public static JobConf without(JobConf reader) {
    JobConf copy = new JobConf(reader);
    disable(copy);
    return copy;
  }

  /** Makes {@link #isSound} reject a reader's filter. */
  static void disable(Configuration reader) {
    HiveConf.setBoolVar(reader, HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER, false);
  }

  /**
   * The columns of a file that the filter may test: not those whose values the split carries. Hive
   * leaves a term on another column out where that makes the filter weaker ({@code
   * ParquetFilterPredicateConverter}), as for its own partition columns.
   */
  static MessageType tested(MessageType schema, FileSplit split) {
    if (!(split instanceof SliceSplit)) {
      return schema;
    }
    Set<String> replaced = ((SliceSplit) split).pathValues().keySet();
    return new MessageType(
        schema.getName(),
        schema.getFields().stream()
            .filter(field -> !replaced.contains(field.getName().toLowerCase(Locale.ROOT)))
            .collect(Collectors.toList()));
  }

  /** Whether the filter belongs to the only scan of the split's file, and is sound. */
  public static boolean isSound(JobConf job, FileSplit split) {
    if (job.get(TableScanDesc.FILTER_EXPR_CONF_STR) == null
        || !HiveConf.getBoolVar(job, HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER)
        // Columns are read by position, but the filter has names.
        || job.getBoolean(DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS, false)) {
      return false;
    }
    try {
      TableScan scan = TableScan.reading(job, split);
      Optional<ExprNodeGenericFuncDesc> filter = scan.filter().expression();
      if (!filter.isPresent()) {
        return false;
      }
      Optional<String> objection = RowGroupFilterGate.objection(filter.get());
      if (objection.isPresent()) {
        LOG.debug("No row-group filter for {}: {}", split, objection.get());
        return false;
      }
      if (filter.get().getCols().stream().anyMatch(scan.columnsOfPaths()::contains)) {
        LOG.debug("No row-group filter for {}: the value is in the path, not in the file", split);
        return false;
      }
      return true;
    } catch (KeepAllFilesException
        | UnreadableTableException
        | IOException
        | RuntimeException
        | LinkageError e) {
      LOG.debug("No row-group filter for {}", split, e);
      return false;
    }
  }
}
