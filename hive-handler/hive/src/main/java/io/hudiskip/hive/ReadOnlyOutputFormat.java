// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.hive.ddl.RefusalMessages;
import java.io.IOException;
import java.util.Properties;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.FileSinkOperator;
import org.apache.hadoop.hive.ql.io.HiveOutputFormat;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.util.Progressable;

/** Refuses to write: a file that Hive put beside Hudi's would be in no commit. */
public final class ReadOnlyOutputFormat implements HiveOutputFormat<NullWritable, Writable> {
  @Override
  public FileSinkOperator.RecordWriter getHiveRecordWriter(
      JobConf job,
      Path path,
      Class<? extends Writable> valueClass,
      boolean isCompressed,
      Properties tableProperties,
      Progressable progress)
      throws IOException {
    throw new IOException(RefusalMessages.READ_ONLY);
  }

  @Override
  public RecordWriter<NullWritable, Writable> getRecordWriter(
      FileSystem ignored, JobConf job, String name, Progressable progress) throws IOException {
    throw new IOException(RefusalMessages.READ_ONLY);
  }

  @Override
  public void checkOutputSpecs(FileSystem ignored, JobConf job) throws IOException {
    throw new IOException(RefusalMessages.READ_ONLY);
  }
}
