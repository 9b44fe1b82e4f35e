// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.evolution.FileColumns;
import io.hudiskip.scan.evolution.RepairedReadSupport;
import io.hudiskip.scan.evolution.TimestampUnits;
import io.hudiskip.scan.pages.MatchingRows;
import io.hudiskip.scan.pages.MatchingRowsFormat;
import java.io.IOException;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.io.parquet.read.ParquetRecordReaderWrapper;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

/**
 * Hive's row-by-row Parquet reader, corrected: a row-group filter only where it is sound, values of
 * older files converted to the table's types, and values that only the file's path has.
 */
public final class RowBaseFileReader extends ParquetRecordReaderWrapper {
  private final PathValues pathValues;

  /** Set during the superclass's constructor; null if there is nothing to convert. */
  @Nullable private Consumer<ArrayWritable> conversion;

  public RowBaseFileReader(InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    this(new ParquetInputFormat<>(RepairedReadSupport.class), split, job, reporter);
  }

  /** Reads only some rows, of a file whose columns are plain. */
  RowBaseFileReader(MatchingRows rows, InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    this(new MatchingRowsFormat(rows), split, RowGroupFilter.without(job), reporter);
  }

  private RowBaseFileReader(
      ParquetInputFormat<ArrayWritable> format, InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    super(format, split, job, reporter);
    jobConf.set(serdeConstants.LIST_COLUMN_TYPES, job.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    pathValues = PathValues.of(jobConf, fileSplit, parquetMetadata);
  }

  /** Called by the superclass's constructor before it opens the file. */
  @Override
  protected void setupMetadataAndParquetSplit(JobConf conf, @Nullable ParquetMetadata metadata)
      throws IOException {
    ParquetMetadata footer = metadata;
    if (fileSplit.getLength() != 0) {
      ParquetMetadata stored = getParquetMetadata(filePath, conf);
      footer = TimestampUnits.repaired(jobConf, stored);
      if (footer != stored) {
        RowGroupFilter.disable(jobConf);
      }
      FileColumns columns = FileColumns.of(jobConf, filePath, footer.getFileMetaData().getSchema());
      columns.requireReadable(jobConf);
      if (!columns.arePlain()) {
        conversion = columns.toRows(jobConf);
        // Hive would drop unprojected fields by the table's names and order.
        jobConf.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
        RowGroupFilter.disable(jobConf);
        jobConf.set(serdeConstants.LIST_COLUMN_TYPES, columns.readTypes());
      }
    }
    super.setupMetadataAndParquetSplit(conf, footer);
  }

  @Override
  public boolean next(NullWritable key, ArrayWritable row) throws IOException {
    boolean found = super.next(key, row);
    if (found) {
      if (conversion != null) {
        conversion.accept(row);
      }
      pathValues.fill(row);
    }
    return found;
  }

  /** Called by the superclass's constructor with the configuration that has the pushed filter. */
  @Override
  public FilterCompat.Filter setFilter(JobConf conf, MessageType schema) {
    return RowGroupFilter.isSound(conf, fileSplit)
        ? super.setFilter(conf, RowGroupFilter.tested(schema, fileSplit))
        : null;
  }
}
