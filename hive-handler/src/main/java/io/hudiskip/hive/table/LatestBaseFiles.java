/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InvalidInputException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.hadoop.HoodieCopyOnWriteTableInputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The base files that make up the latest committed state of a table, as Hudi lists them. */
public final class LatestBaseFiles {
  private static final Logger LOG = LoggerFactory.getLogger(LatestBaseFiles.class);

  /** Gives the table that is listed. */
  public interface TableSource {

    /**
     * Opens the table, or has it open.
     *
     * @throws UnreadableTableException when there is none that Hive would read rightly
     */
    HudiTable get() throws UnreadableTableException;
  }

  private LatestBaseFiles() {}

  /**
   * Those of the table at {@code root}.
   *
   * @param job its settings must not ask for another state of the table: see {@link SnapshotMode}
   * @throws IOException when the table cannot be read or listed, or is asked for another state
   */
  public static List<FileStatus> of(JobConf job, Path root) throws IOException {
    return of(job, root, () -> HudiTable.open(job, root.toString()));
  }

  /** The same of a table that may be open. */
  public static List<FileStatus> of(JobConf job, Path root, TableSource source) throws IOException {
    try {
      HudiTable table = source.get();
      SnapshotMode.require(job, table);
      table.columns(); // refuses a schema that has become one that Hive cannot have
      JobConf own = SnapshotMode.latest(job, table); // a copy: Hudi changes its input paths
      FileInputFormat.setInputPaths(own, root);
      // Without it Hudi lists the root of a partitioned table as if it were a partition, and finds
      // no files.
      own.setBoolean(HoodieMetadataConfig.ENABLE.key(), true);
      HoodieCopyOnWriteTableInputFormat hudi = new HoodieCopyOnWriteTableInputFormat();
      hudi.setConf(own);
      return Collections.unmodifiableList(Arrays.asList(hudi.listStatus(own)));
    } catch (UnreadableTableException e) {
      LOG.debug("Table {} cannot be read", root, e);
      throw new IOException(e.getMessage()); // without its cause: see below
    } catch (IOException | RuntimeException e) {
      Throwable root0 = ExceptionUtils.getRootCause(e);
      Throwable cause = root0 == null ? e : root0;
      if (cause instanceof FileNotFoundException || cause instanceof InvalidInputException) {
        // FetchOperator takes such a cause for an empty table and answers with no rows.
        LOG.error("Listing of {} failed", root, e);
        throw new IOException("cannot list the Hudi table " + root + ": " + cause.getMessage());
      }
      throw e;
    }
  }
}
