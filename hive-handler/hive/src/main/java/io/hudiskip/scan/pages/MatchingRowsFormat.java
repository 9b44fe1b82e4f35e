// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.pages;

import io.hudiskip.scan.evolution.RepairedReadSupport;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.ContextUtil;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.api.RecordMaterializer;

/** Gives Hive's row reader only {@link MatchingRows}; pages without any are not read. */
public final class MatchingRowsFormat extends ParquetInputFormat<ArrayWritable> {
  private final MatchingRows rows;

  public MatchingRowsFormat(MatchingRows rows) {
    super(RepairedReadSupport.class);
    this.rows = rows;
  }

  @Override
  public RecordReader<Void, ArrayWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader(rows, new RepairedReadSupport());
  }

  /** As {@code InternalParquetRecordReader}, which takes rows from a Parquet filter only. */
  private static final class Reader extends RecordReader<Void, ArrayWritable> {
    private final MatchingRows rows;
    private final ReadSupport<ArrayWritable> support;
    private ParquetFileReader file;
    private RecordMaterializer<ArrayWritable> materializer;
    private MessageColumnIO columns;
    private int next;
    private long left;
    private long read;
    @Nullable private org.apache.parquet.io.RecordReader<ArrayWritable> group;
    @Nullable private ArrayWritable row;

    Reader(MatchingRows rows, ReadSupport<ArrayWritable> support) {
      this.rows = rows;
      this.support = support;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      Configuration job = ContextUtil.getConfiguration(context);
      FileMetaData stored = rows.footer().getFileMetaData();
      Map<String, Set<String>> properties = new HashMap<>();
      stored
          .getKeyValueMetaData()
          .forEach((name, value) -> properties.put(name, Collections.singleton(value)));
      ReadSupport.ReadContext read =
          support.init(new InitContext(job, properties, stored.getSchema()));
      materializer =
          support.prepareForRead(job, stored.getKeyValueMetaData(), stored.getSchema(), read);
      columns =
          new ColumnIOFactory(stored.getCreatedBy())
              .getColumnIO(read.getRequestedSchema(), stored.getSchema(), true);
      Path path = ((FileSplit) split).getPath();
      file =
          new ParquetFileReader(
              job, stored, path, rows.rowGroups(), read.getRequestedSchema().getColumns());
      if (file.getRowGroups().size() != rows.rowGroups().size()) {
        throw new IllegalStateException("another filter has dropped row groups of " + path);
      }
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      while (left == 0) {
        if (next == rows.rowGroups().size()) {
          row = null;
          return false;
        }
        open(next++);
      }
      row = group.read();
      left--;
      read++;
      return true;
    }

    private void open(int position) throws IOException {
      left = rows.ofRowGroup(position).rowCount();
      if (left > 0) {
        PageReadStore pages = file.readFilteredRowGroup(position, rows.ofRowGroup(position));
        group = columns.getRecordReader(pages, materializer, FilterCompat.NOOP);
      }
    }

    @Override
    public Void getCurrentKey() {
      return null;
    }

    @Override
    @Nullable
    public ArrayWritable getCurrentValue() {
      return row;
    }

    @Override
    public float getProgress() {
      return rows.matching() == 0 ? 1 : (float) read / rows.matching();
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }
}
